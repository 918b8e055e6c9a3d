package io.weighbridge.client.weights;

/** Told how far long work has come; called from several threads. */
public interface Progress {

    /** Says nothing to anybody. */
    Progress SILENT = new Progress() {
        @Override
        public void stage(String name, long totalBytes) {}

        @Override
        public void advance(long bytes) {}

        @Override
        public void finished() {}
    };

    /** A new stage begins; the one before has ended. */
    void stage(String name, long totalBytes);

    /** More bytes of this stage are done. */
    void advance(long bytes);

    /** The last stage has ended. */
    void finished();
}
