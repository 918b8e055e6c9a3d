package io.weighbridge.agent.transfer.http;

import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The endpoints of transfers. */
@Configuration(proxyBeanMethods = false)
@Import(TransferController.class)
public class TransferEndpoints {}
