package io.weighbridge.agent.config;

import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelOption;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Uploads arrive in large pieces: fewer, larger buffers cost less than many of the decoder's usual 8 KiB. */
@Configuration(proxyBeanMethods = false)
class ServerTuning {

    /** The most that one read of a socket takes. */
    static final int READ_BYTES = 256 << 10;

    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> largePieces() {
        return factory -> factory.addServerCustomizers(server -> server.httpRequestDecoder(
                        decoder -> decoder.maxChunkSize(READ_BYTES))
                .childOption(
                        ChannelOption.RCVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(1024, 16 << 10, READ_BYTES)));
    }
}
