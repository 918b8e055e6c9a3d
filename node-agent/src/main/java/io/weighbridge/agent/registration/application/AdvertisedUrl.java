package io.weighbridge.agent.registration.application;

/** Where others reach this agent; empty before it listens. */
public final class AdvertisedUrl {

    private volatile String url = "";

    public void set(String advertised) {
        url = advertised;
    }

    public String get() {
        return url;
    }
}
