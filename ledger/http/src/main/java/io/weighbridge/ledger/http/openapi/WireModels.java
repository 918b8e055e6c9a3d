package io.weighbridge.ledger.http.openapi;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.core.jackson.TypeNameResolver;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** Schemas of the wire records: {@code snake_case} names, nested names in full, required unless {@code @Nullable}. */
final class WireModels {

    private WireModels() {}

    static ModelResolver resolver(ObjectMapper springdocs) {
        ObjectMapper mapper = springdocs
                .copy()
                .setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .setAnnotationIntrospector(new RequiredComponents());
        ModelResolver.enumsAsRef = true;
        return new ModelResolver(mapper, new NestedNames()).openapi31(true);
    }

    /** The same rule as {@code RequiredUnlessNullable}, for the library that makes the document (Jackson 2). */
    private static final class RequiredComponents extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public @Nullable Boolean hasRequiredMarker(AnnotatedMember member) {
            Class<?> type = member.getDeclaringClass();
            if (!type.isRecord()) {
                return super.hasRequiredMarker(member);
            }
            for (RecordComponent component : type.getRecordComponents()) {
                if (component.getName().equals(member.getName())) {
                    return !component.getAnnotatedType().isAnnotationPresent(Nullable.class);
                }
            }
            return super.hasRequiredMarker(member);
        }
    }

    /** {@code PutStart.Item} and {@code Reports.Item} are two schemas. */
    private static final class NestedNames extends TypeNameResolver {

        @Override
        protected String getNameOfClass(Class<?> type) {
            Class<?> outer = type.getEnclosingClass();
            return outer == null ? type.getSimpleName() : getNameOfClass(outer) + type.getSimpleName();
        }
    }
}
