package io.weighbridge.suite.run;

/** One running service or agent. */
public interface Part extends AutoCloseable {

    /** Its base URL on the loopback interface. */
    String url();

    /** Stops it gracefully; does nothing when it has stopped already. */
    @Override
    void close();
}
