/** The content endpoints: bytes in with a write token, bytes out with a read lease (spec 5.2). */
@NullMarked
package io.weighbridge.agent.content.http;

import org.jspecify.annotations.NullMarked;
