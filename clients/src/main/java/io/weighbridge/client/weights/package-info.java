/** What a user does with whole revisions: publish a checkpoint, read one back with every byte verified. */
@NullMarked
package io.weighbridge.client.weights;

import org.jspecify.annotations.NullMarked;
