package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json31;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.providers.JavadocProvider;
import org.springframework.http.codec.ServerSentEvent;

/**
 * Puts the Javadoc of record components at their {@code snake_case} properties, and the entry of a feed in the place of
 * its event.
 */
final class RecordDescriptions implements ModelConverter {

    private static final String REFERENCE = "#/components/schemas/";
    private static final PropertyNamingStrategies.SnakeCaseStrategy SNAKE_CASE =
            new PropertyNamingStrategies.SnakeCaseStrategy();

    private final JavadocProvider javadoc;

    RecordDescriptions(JavadocProvider javadoc) {
        this.javadoc = javadoc;
    }

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (!chain.hasNext()) {
            return null;
        }
        JavaType java = Json31.mapper().constructType(type.getType());
        if (java != null && java.hasRawClass(ServerSentEvent.class) && java.containedTypeCount() == 1) {
            return context.resolve(new AnnotatedType(java.containedType(0)).resolveAsRef(true));
        }
        Schema<?> schema = chain.next().resolve(type, context, chain);
        if (java != null && java.getRawClass().isRecord() && schema != null) {
            String reference = schema.get$ref();
            Schema<?> model = reference == null
                    ? schema
                    : context.getDefinedModels().get(reference.substring(REFERENCE.length()));
            if (model != null) {
                describe(model, java.getRawClass());
            }
        }
        return schema;
    }

    private void describe(Schema<?> model, Class<?> type) {
        Map<String, Schema> properties = model.getProperties();
        if (properties == null) {
            return;
        }
        javadoc.getRecordClassParamJavadoc(type).forEach((component, text) -> {
            Schema<?> property = properties.get(SNAKE_CASE.translate(component));
            if (property != null && property.get$ref() == null && !text.isBlank()) {
                property.setDescription(text);
            }
        });
    }
}
