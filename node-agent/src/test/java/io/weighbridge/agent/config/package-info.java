@org.jspecify.annotations.NullMarked
package io.weighbridge.agent.config;
