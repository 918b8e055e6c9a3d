package io.weighbridge.suite;

import io.weighbridge.suite.run.RunningSuite;
import io.weighbridge.suite.run.SuiteSettings;
import java.io.IOException;
import java.util.function.Consumer;

/** Starts a suite that stops, in order, when this process is told to end. */
final class Stoppable {

    private Stoppable() {}

    static RunningSuite start(SuiteSettings settings, Consumer<String> told) throws IOException {
        RunningSuite suite = RunningSuite.start(settings, told);
        Runtime.getRuntime().addShutdownHook(new Thread(suite::close, "suite-stop"));
        return suite;
    }
}
