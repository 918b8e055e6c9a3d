package io.weighbridge.suite.run;

import io.weighbridge.ledger.http.HttpEdge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.springframework.context.ConfigurableApplicationContext;

/** One part in a process of its own: {@code ROLE PORT_FILE SETTINGS...}. */
final class ChildProcessMain {

    private ChildProcessMain() {}

    public static void main(String[] args) throws IOException {
        endWithParent();
        ConfigurableApplicationContext context =
                Role.valueOf(args[0]).application().run(Arrays.copyOfRange(args, 2, args.length));
        Path portFile = Path.of(args[1]);
        Path written = Files.writeString(
                portFile.resolveSibling(portFile.getFileName() + ".new"), Integer.toString(HttpEdge.port(context)));
        Files.move(written, portFile, StandardCopyOption.ATOMIC_MOVE);
    }

    /** The parent holds the other end of standard input; it closes when the parent ends, however that happens. */
    private static void endWithParent() {
        Thread.ofPlatform().daemon().name("parent").start(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nothing is sent.
                }
            } catch (IOException e) {
                // The parent is gone.
            }
            System.exit(0);
        });
    }
}
