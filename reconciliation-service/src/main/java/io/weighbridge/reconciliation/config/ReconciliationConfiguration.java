package io.weighbridge.reconciliation.config;

import io.weighbridge.reconciliation.revision.RevisionConfiguration;
import io.weighbridge.reconciliation.work.WorkConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The service's subjects and its configuration. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ReconciliationProperties.class, ImportProperties.class, ServiceProperties.class})
@Import({WorkConfiguration.class, RevisionConfiguration.class})
public class ReconciliationConfiguration {}
