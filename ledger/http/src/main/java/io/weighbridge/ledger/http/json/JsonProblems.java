package io.weighbridge.ledger.http.json;

import io.weighbridge.ledger.problem.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.InvalidNullException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Says in a caller's words, and with the place, what is wrong with a JSON body. */
public final class JsonProblems {

    private static final Pattern DUPLICATE = Pattern.compile("Duplicate (?:Object property|field) \"?'?([^\"']*)");

    private JsonProblems() {}

    /** The refusal of a body that did not decode. */
    public static Problem of(JacksonException e) {
        String place = place(e.getPath());
        return switch (e) {
            case UnrecognizedPropertyException u -> Problem.invalid(place, "is unknown");
            case InvalidNullException n -> Problem.invalid(place, "is missing");
            case MismatchedInputException m -> mismatch(place, m);
            case InputCoercionException c ->
                Problem.invalid(place, "is out of range or not a valid " + TypeNames.of(c.getTargetType()));
            case StreamConstraintsException c ->
                Problem.invalid(place, "is nested too deeply or too long" + position(e.getLocation()));
            default -> malformed(place, e);
        };
    }

    private static Problem mismatch(String place, MismatchedInputException e) {
        String message = e.getOriginalMessage();
        if (message != null && (message.startsWith("Cannot map `null`") || message.contains("explicit null"))) {
            return Problem.invalid(place, "is missing");
        }
        if (message != null && message.startsWith("Trailing token")) {
            return Problem.invalid("body", "has more after its end");
        }
        if (message != null && message.startsWith("No content to map")) {
            return Problem.invalid("body", "is missing");
        }
        Class<?> target = e.getTargetType();
        if (target != null && target.isEnum()) {
            return Problem.invalid(place, "must be one of " + Arrays.toString(target.getEnumConstants()));
        }
        return Problem.invalid(place, "is not a valid " + TypeNames.of(target));
    }

    private static Problem malformed(String place, JacksonException e) {
        String message = e.getOriginalMessage();
        Matcher duplicate = DUPLICATE.matcher(message == null ? "" : message);
        if (duplicate.find()) {
            String name = duplicate.group(1);
            return Problem.invalid(
                    place.equals("body") || place.endsWith(name) ? name : place + "." + name, "appears twice");
        }
        return Problem.invalid(place, "is not well-formed JSON" + position(e.getLocation()));
    }

    private static String position(@Nullable TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    private static String place(List<JacksonException.Reference> path) {
        StringBuilder place = new StringBuilder();
        for (JacksonException.Reference step : path) {
            if (step.getPropertyName() != null) {
                place.append(place.isEmpty() ? "" : ".").append(step.getPropertyName());
            } else if (step.getIndex() >= 0) {
                place.append('[').append(step.getIndex()).append(']');
            }
        }
        return place.isEmpty() ? "body" : place.toString();
    }
}
