package io.weighbridge.metadata.node;

import org.springframework.context.annotation.Configuration;

/** What the subject {@code node} is made of. */
@Configuration(proxyBeanMethods = false)
public class NodeConfiguration {}
