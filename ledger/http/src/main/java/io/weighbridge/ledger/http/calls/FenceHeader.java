package io.weighbridge.ledger.http.calls;

import io.weighbridge.ledger.http.fence.Etag;
import io.weighbridge.ledger.identity.Fence;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.service.invoker.HttpRequestValues;
import org.springframework.web.service.invoker.HttpServiceArgumentResolver;

/** Lets HTTP interfaces take a {@link Fence} and send it as {@code If-Match}. */
final class FenceHeader implements HttpServiceArgumentResolver {

    @Override
    public boolean resolve(
            @Nullable Object argument, MethodParameter parameter, HttpRequestValues.Builder requestValues) {
        if (parameter.getParameterType() != Fence.class) {
            return false;
        }
        if (argument instanceof Fence fence) {
            requestValues.addHeader(HttpHeaders.IF_MATCH, Etag.of(fence));
        }
        return true;
    }
}
