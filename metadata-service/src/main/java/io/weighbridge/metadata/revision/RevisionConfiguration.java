package io.weighbridge.metadata.revision;

import org.springframework.context.annotation.Configuration;

/** What the subject {@code revision} is made of. */
@Configuration(proxyBeanMethods = false)
public class RevisionConfiguration {}
