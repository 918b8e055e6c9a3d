package io.weighbridge.metadata.object;

import org.springframework.context.annotation.Configuration;

/** What the subject {@code object} is made of. */
@Configuration(proxyBeanMethods = false)
public class ObjectConfiguration {}
