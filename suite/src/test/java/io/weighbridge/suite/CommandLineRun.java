package io.weighbridge.suite;

import java.io.PrintWriter;
import java.io.StringWriter;

/** One run of the command line in this process. */
record CommandLineRun(int status, String out, String err) {

    static CommandLineRun of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Weighbridge.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new CommandLineRun(status, out.toString(), err.toString());
    }
}
