package io.weighbridge.manifest;

import io.weighbridge.ledger.identity.RevisionIdentity;
import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.PayloadObject;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import io.weighbridge.manifest.json.CanonicalJsonWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/**
 * Writes a manifest's one canonical form: names sorted by their UTF-8 bytes, no spaces, UTF-8, only the escapes that
 * JSON demands, absent values left out, {@code created_at} in UTC with exactly three decimals.
 */
public final class ManifestWriter {

    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final CanonicalJsonWriter json = new CanonicalJsonWriter();

    private ManifestWriter() {}

    /**
     * The bytes to store under the manifest's key; their plain SHA-256 is {@code manifest_sha256}.
     *
     * @throws ManifestException when the manifest is not valid: nothing invalid is ever written
     */
    public static byte[] write(StoredWeightManifest manifest) {
        return encode(ManifestValidation.requireValid(manifest));
    }

    /** As {@link #write}, of a manifest that was checked before. */
    static byte[] encode(StoredWeightManifest manifest) {
        ManifestWriter writer = new ManifestWriter();
        writer.manifest(manifest);
        return writer.json.bytes();
    }

    static String timestamp(Instant instant) {
        return TIMESTAMP.format(instant);
    }

    private void manifest(StoredWeightManifest manifest) {
        json.beginObject().name("attributes").beginObject();
        manifest.attributes().forEach((name, value) -> json.name(name).value(value));
        json.endObject().name("created_at").value(timestamp(manifest.createdAt()));
        json.name("fragments").beginArray();
        manifest.fragments().forEach(this::fragment);
        json.endArray().name("identity");
        identity(manifest.identity());
        json.name("manifest_key").value(manifest.manifestKey()).name("objects").beginArray();
        manifest.objects().forEach(this::object);
        json.endArray().name("payload_group_id").value(manifest.payloadGroupId());
        json.name("tensors").beginArray();
        manifest.tensors().forEach(this::tensor);
        json.endArray().name("version").value(StoredWeightManifest.VERSION).endObject();
    }

    private void identity(RevisionIdentity identity) {
        json.beginObject().name("namespace").value(identity.namespace());
        json.name("resource_id").value(identity.resourceId());
        json.name("revision").value(identity.revision());
        json.name("tenant_id").value(identity.tenantId());
        json.name("weight_generation").value(identity.weightGeneration()).endObject();
    }

    private void object(PayloadObject object) {
        json.beginObject().name("key").value(object.key());
        json.name("sha256_tree").value(object.sha256Tree());
        json.name("size").value(object.size()).endObject();
    }

    private void fragment(Fragment fragment) {
        json.beginObject().name("bytes").value(fragment.bytes());
        json.name("object").value(fragment.object());
        json.name("object_offset").value(fragment.objectOffset()).name("offset");
        numbers(fragment.offset());
        json.name("shape");
        numbers(fragment.shape());
        json.name("tensor").value(fragment.tensor()).endObject();
    }

    private void tensor(Tensor tensor) {
        json.beginObject();
        if (tensor.aliasOf() != null) {
            json.name("alias_of").value(tensor.aliasOf());
        }
        json.name("dtype").value(tensor.dtype().name());
        if (tensor.expert() != null) {
            json.name("expert").value(tensor.expert());
        }
        if (tensor.layer() != null) {
            json.name("layer").value(tensor.layer());
        }
        json.name("name").value(tensor.name()).name("shape");
        numbers(tensor.shape());
        if (tensor.shardDims() != null) {
            json.name("shard_dims");
            numbers(tensor.shardDims());
        }
        json.endObject();
    }

    private void numbers(List<Long> numbers) {
        json.beginArray();
        numbers.forEach(json::value);
        json.endArray();
    }
}
