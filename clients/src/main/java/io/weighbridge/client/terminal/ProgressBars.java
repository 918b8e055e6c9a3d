package io.weighbridge.client.terminal;

import io.weighbridge.client.weights.Progress;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** One bar a stage on standard error. */
public final class ProgressBars implements Progress {

    private @Nullable ProgressBar bar;

    @Override
    public synchronized void stage(String name, long totalBytes) {
        finished();
        bar = new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(totalBytes)
                .setUnit(" MiB", 1 << 20)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(200)
                .showSpeed()
                .build();
    }

    @Override
    public synchronized void advance(long bytes) {
        if (bar != null) {
            bar.stepBy(bytes);
        }
    }

    @Override
    public synchronized void finished() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
