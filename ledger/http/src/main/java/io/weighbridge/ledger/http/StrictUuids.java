package io.weighbridge.ledger.http;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** UUIDs in paths and queries with all their digits; Java's own parser takes abbreviations. */
@ControllerAdvice
class StrictUuids {

    private static final Pattern ALL_DIGITS =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** An editor, not a converter: Spring falls back from a failed converter to its lenient editor. */
    @InitBinder
    void register(WebDataBinder binder) {
        binder.registerCustomEditor(UUID.class, new PropertyEditorSupport() {
            @Override
            public void setAsText(String text) {
                if (!ALL_DIGITS.matcher(text).matches()) {
                    throw new IllegalArgumentException("not a UUID");
                }
                setValue(UUID.fromString(text));
            }
        });
    }
}
