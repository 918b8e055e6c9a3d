package io.weighbridge.ledger.http.json;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;

/**
 * Tells Jackson which record components must be there: those whose type is not {@code @Nullable} in a null-marked
 * package, and the elements of lists and values of maps likewise. So the wire records say it once, for compiler, reader
 * and document.
 */
final class RequiredUnlessNullable extends JacksonAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public JsonSetter.Value findSetterInfo(MapperConfig<?> config, Annotated annotated) {
        JsonSetter.Value said = super.findSetterInfo(config, annotated);
        AnnotatedType type = recordComponent(annotated);
        if (type == null) {
            return said;
        }
        Nulls content = hasRequiredContent(type) ? Nulls.FAIL : Nulls.SET;
        return JsonSetter.Value.construct(type.isAnnotationPresent(Nullable.class) ? Nulls.SET : Nulls.FAIL, content);
    }

    private static boolean hasRequiredContent(AnnotatedType type) {
        if (!(type instanceof AnnotatedParameterizedType parameterized)) {
            return false;
        }
        AnnotatedType[] arguments = parameterized.getAnnotatedActualTypeArguments();
        return !arguments[arguments.length - 1].isAnnotationPresent(Nullable.class);
    }

    private static @Nullable AnnotatedType recordComponent(Annotated annotated) {
        if (annotated instanceof AnnotatedParameter parameter
                && parameter.getOwner().getAnnotated() instanceof Constructor<?> constructor
                && constructor.getDeclaringClass().isRecord()
                && isNullMarked(constructor.getDeclaringClass())) {
            return constructor.getAnnotatedParameterTypes()[parameter.getIndex()];
        }
        return null;
    }

    private static boolean isNullMarked(Class<?> type) {
        return type.isAnnotationPresent(NullMarked.class)
                || type.getPackage().isAnnotationPresent(NullMarked.class)
                || (type.getEnclosingClass() != null && isNullMarked(type.getEnclosingClass()));
    }
}
