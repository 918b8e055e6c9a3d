package io.weighbridge.manifest;

/**
 * One thing that is wrong with a manifest, a checkpoint or what is to be packed.
 *
 * @param name what is wrong: a JSON path such as {@code tensors[3].dtype}, an element by its name such as
 *     {@code tensors[lm_head.weight].shape}, or {@code file: path} for a file
 * @param message what is wrong with it, to be read after the name
 */
public record ManifestProblem(String name, String message) {
    @Override
    public String toString() {
        return name.isEmpty() ? message : name + ": " + message;
    }
}
