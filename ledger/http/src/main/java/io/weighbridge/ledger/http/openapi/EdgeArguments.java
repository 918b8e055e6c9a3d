package io.weighbridge.ledger.http.openapi;

import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.IntegerSchema;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.weighbridge.ledger.http.fence.IdempotencyKey;
import io.weighbridge.ledger.http.fence.IfMatch;
import io.weighbridge.ledger.http.paging.PageRequest;
import io.weighbridge.ledger.identity.Fence;
import java.math.BigDecimal;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.method.HandlerMethod;

/** Arguments that the edge resolves, as the headers and query parameters they come from. */
final class EdgeArguments implements GlobalOperationCustomizer {

    @Override
    public Operation customize(Operation operation, HandlerMethod method) {
        for (MethodParameter argument : method.getMethodParameters()) {
            Class<?> type = argument.getParameterType();
            if (type == Fence.class) {
                IfMatch rule = argument.getParameterAnnotation(IfMatch.class);
                operation.addParametersItem(ifMatch(rule != null && rule.any()));
            } else if (type == PageRequest.class) {
                operation.addParametersItem(pageSize());
                operation.addParametersItem(
                        parameter("query", "page_token", "where the page before said to go on", new StringSchema()));
            } else if (type == IdempotencyKey.class) {
                operation.addParametersItem(parameter(
                        "header",
                        IdempotencyKey.HEADER,
                        "makes a retry do the change once",
                        new StringSchema().minLength(1).maxLength(128)));
            }
        }
        return operation;
    }

    private static Parameter ifMatch(boolean any) {
        String description = "the expected metadata_generation as an entity tag, such as \"7\""
                + (any ? "; * for whatever is current" : "");
        return parameter("header", HttpHeaders.IF_MATCH, description, new StringSchema())
                .required(true);
    }

    private static Parameter pageSize() {
        IntegerSchema size = new IntegerSchema();
        size.setDefault(PageRequest.DEFAULT_SIZE);
        size.setMinimum(BigDecimal.ONE);
        size.setMaximum(BigDecimal.valueOf(PageRequest.MAX_SIZE));
        return parameter("query", "page_size", "rows of a page", size);
    }

    private static Parameter parameter(String in, String name, String description, Schema<?> schema) {
        return new Parameter()
                .in(in)
                .name(name)
                .description(description)
                .required(false)
                .schema(schema);
    }
}
