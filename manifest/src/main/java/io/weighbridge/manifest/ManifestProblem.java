package io.weighbridge.manifest;

import java.util.HexFormat;

/**
 * One thing that is wrong with a manifest, a checkpoint or what is to be packed.
 *
 * @param name what is wrong: a JSON path such as {@code tensors[3].dtype}, an element by its name such as
 *     {@code tensors[lm_head.weight].shape}, or {@code file: path} for a file
 * @param message what is wrong with it, to be read after the name
 */
public record ManifestProblem(String name, String message) {
    /** On one line: names come from files, so control characters in them are shown, not sent to a terminal. */
    @Override
    public String toString() {
        String text = name.isEmpty() ? message : name + ": " + message;
        if (text.chars().noneMatch(Character::isISOControl)) {
            return text;
        }
        StringBuilder line = new StringBuilder();
        text.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                line.append("\\u").append(HexFormat.of().toHexDigits((char) c));
            } else {
                line.append((char) c);
            }
        });
        return line.toString();
    }
}
