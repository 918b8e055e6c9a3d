/** What an agent tells about itself (spec 5.2). */
@NullMarked
package io.weighbridge.agent.registration.http;

import org.jspecify.annotations.NullMarked;
