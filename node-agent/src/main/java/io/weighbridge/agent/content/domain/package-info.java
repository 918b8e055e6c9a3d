/** What a request for content may ask for, in plain Java. */
@NullMarked
package io.weighbridge.agent.content.domain;

import org.jspecify.annotations.NullMarked;
