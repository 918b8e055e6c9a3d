package io.weighbridge.client.weights;

import io.weighbridge.manifest.StoredWeightManifest.Fragment;
import io.weighbridge.manifest.StoredWeightManifest.Tensor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Cuts an object's bytes, which arrive in order, into the tensor runs that they belong to; padding is dropped. */
final class FragmentScatter {

    private final List<Fragment> fragments;
    private final Map<String, Tensor> tensors;
    private final TensorSink sink;
    private int current;

    /** @param fragments of one object, by object offset */
    FragmentScatter(List<Fragment> fragments, Map<String, Tensor> tensors, TensorSink sink) {
        this.fragments = fragments;
        this.tensors = tensors;
        this.sink = sink;
    }

    void accept(long objectOffset, byte[] bytes, int length) throws IOException {
        long end = objectOffset + length;
        while (current < fragments.size()) {
            Fragment fragment = fragments.get(current);
            long from = Math.max(objectOffset, fragment.objectOffset());
            long to = Math.min(end, fragment.objectOffset() + fragment.bytes());
            if (from < to) {
                ByteBuffer part = ByteBuffer.wrap(bytes, (int) (from - objectOffset), (int) (to - from));
                runs(fragment, from - fragment.objectOffset(), part);
            }
            if (fragment.objectOffset() + fragment.bytes() > end) {
                return;
            }
            current++;
        }
    }

    private void runs(Fragment fragment, long fragmentByte, ByteBuffer part) throws IOException {
        FragmentRuns runs = new FragmentRuns(Objects.requireNonNull(tensors.get(fragment.tensor())), fragment);
        long at = fragmentByte;
        while (part.hasRemaining()) {
            int length = (int) Math.min(part.remaining(), runs.runBytes() - at % runs.runBytes());
            sink.accept(fragment.tensor(), runs.tensorOffset(at), part.slice(part.position(), length));
            part.position(part.position() + length);
            at += length;
        }
    }
}
