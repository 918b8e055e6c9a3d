package io.weighbridge.ledger.http.trace;

import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Shows the trace of a reactive pipeline in the log lines of whatever thread it runs on. */
public final class TraceInLogs implements ThreadLocalAccessor<TraceContext> {

    private static final ThreadLocal<@Nullable TraceContext> CURRENT = new ThreadLocal<>();

    private TraceInLogs() {}

    /** Once for the process; again does no harm. */
    public static void register() {
        ContextRegistry.getInstance().registerThreadLocalAccessor(new TraceInLogs());
    }

    @Override
    public Object key() {
        return TraceContext.CONTEXT_KEY;
    }

    @Override
    public @Nullable TraceContext getValue() {
        return CURRENT.get();
    }

    @Override
    public void setValue(TraceContext trace) {
        CURRENT.set(trace);
        MDC.put(TraceContext.MDC_KEY, trace.traceId());
    }

    @Override
    public void setValue() {
        CURRENT.remove();
        MDC.remove(TraceContext.MDC_KEY);
    }
}
