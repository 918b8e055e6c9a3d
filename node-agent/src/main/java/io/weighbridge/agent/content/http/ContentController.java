package io.weighbridge.agent.content.http;

import io.netty.buffer.ByteBuf;
import io.weighbridge.agent.content.application.Downloads;
import io.weighbridge.agent.content.application.Uploaded;
import io.weighbridge.agent.content.application.Uploads;
import io.weighbridge.agent.content.domain.ByteRange;
import io.weighbridge.ledger.http.limit.LongRunning;
import io.weighbridge.ledger.http.openapi.Refusals;
import io.weighbridge.ledger.identity.Validation;
import io.weighbridge.ledger.problem.Problem;
import io.weighbridge.ledger.problem.ProblemCode;
import io.weighbridge.ledger.problem.ProblemException;
import io.weighbridge.wire.ContentStored;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.NettyDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The bytes of one copy. What guards them is the capability in the header, not a credential. */
@RestController
@RequestMapping("/v1/objects/content")
@LongRunning
class ContentController {

    private static final String WRITE_TOKEN = "Write-Token";
    private static final String READ_LEASE = "Read-Lease";
    private static final String UPLOAD_OFFSET = "Upload-Offset";
    private static final String UPLOAD_LENGTH = "Upload-Length";

    /** Checksums of the chunks in the answer's range, comma-separated hexadecimal digits; agents compare them. */
    private static final String CHUNK_CRC32C = "Chunk-Crc32c";

    /** What fits into a header: a range of 1 GiB. */
    private static final int CHECKSUMS_MAX = 256;

    private static final NettyDataBufferFactory BUFFERS =
            new NettyDataBufferFactory(io.netty.buffer.UnpooledByteBufAllocator.DEFAULT);

    private final Uploads uploads;
    private final Downloads downloads;

    ContentController(Uploads uploads, Downloads downloads) {
        this.uploads = uploads;
        this.downloads = downloads;
    }

    /** Stores bytes of a copy from {@code offset} on; 201 when it is whole, 202 when more is needed. */
    @PutMapping
    @Refusals({
        ProblemCode.CONFLICT,
        ProblemCode.STALE_TOKEN,
        ProblemCode.CHECKSUM_MISMATCH,
        ProblemCode.BUSY,
        ProblemCode.NO_SPACE
    })
    Mono<ResponseEntity<ContentStored>> putContent(
            @RequestParam("key") String key,
            @RequestParam(name = "offset", defaultValue = "0") long offset,
            @RequestHeader(name = WRITE_TOKEN, required = false) @Nullable String writeToken,
            ServerHttpRequest request) {
        Validation.objectKey("key", key);
        Validation.size("offset", offset);
        return uploads.store(new Uploads.Request(
                        key,
                        required(WRITE_TOKEN, writeToken),
                        offset,
                        request.getHeaders().getContentLength(),
                        request.getBody().onErrorMap(ContentController::brokenOff)))
                .map(ContentController::answer);
    }

    /** The sender has gone: nobody reads the answer, and it is no defect. */
    private static Throwable brokenOff(Throwable e) {
        return e instanceof ProblemException
                ? e
                : new ProblemException(ProblemCode.INVALID_ARGUMENT, "the body broke off before its end");
    }

    private static ResponseEntity<ContentStored> answer(Uploaded uploaded) {
        return switch (uploaded) {
            case Uploaded.Whole(ContentStored stored, boolean now) ->
                ResponseEntity.status(now ? HttpStatus.CREATED : HttpStatus.OK).body(stored);
            case Uploaded.Partial(long offset, long size) ->
                ResponseEntity.accepted()
                        .header(UPLOAD_OFFSET, Long.toString(offset))
                        .header(UPLOAD_LENGTH, Long.toString(size))
                        .build();
        };
    }

    /** With a write token: where the upload continues. With a read lease: the headers of the answer to GET. */
    @RequestMapping(method = RequestMethod.HEAD)
    @Refusals({ProblemCode.STALE_TOKEN, ProblemCode.LEASE_EXPIRED})
    Mono<Void> headContent(
            @RequestParam("key") String key,
            @RequestHeader(name = WRITE_TOKEN, required = false) @Nullable String writeToken,
            @RequestHeader(name = READ_LEASE, required = false) @Nullable String readLease,
            ServerHttpResponse response) {
        Validation.objectKey("key", key);
        if (writeToken != null) {
            return uploads.progress(key, writeToken).flatMap(progress -> {
                response.getHeaders().set(UPLOAD_OFFSET, Long.toString(progress.offset()));
                response.getHeaders().set(UPLOAD_LENGTH, Long.toString(progress.size()));
                response.getHeaders().setCacheControl("no-store");
                return response.setComplete();
            });
        }
        return downloads.content(key, required(READ_LEASE, readLease), null).flatMap(content -> {
            describe(response, content);
            return response.setComplete();
        });
    }

    /** The bytes of a copy, or one range of them, while the lease lives. */
    @RequestMapping(method = RequestMethod.GET, produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    @Refusals({ProblemCode.LEASE_EXPIRED, ProblemCode.RANGE_NOT_SATISFIABLE, ProblemCode.CHECKSUM_MISMATCH})
    Mono<Void> getContent(
            @RequestParam("key") String key,
            @RequestHeader(name = READ_LEASE, required = false) @Nullable String readLease,
            @RequestHeader(name = HttpHeaders.RANGE, required = false) @Nullable String range,
            ServerHttpResponse response) {
        Validation.objectKey("key", key);
        return downloads.content(key, required(READ_LEASE, readLease), range).flatMap(content -> {
            describe(response, content);
            Flux<DataBuffer> bytes = content.bytes().map(ContentController::wrap);
            return response.writeWith(bytes)
                    .doOnDiscard(DataBuffer.class, org.springframework.core.io.buffer.DataBufferUtils::release);
        });
    }

    private static DataBuffer wrap(ByteBuf bytes) {
        return BUFFERS.wrap(bytes);
    }

    private static void describe(ServerHttpResponse response, Downloads.Content content) {
        HttpHeaders headers = response.getHeaders();
        ByteRange range = content.range();
        headers.setContentType(MediaType.APPLICATION_OCTET_STREAM);
        headers.setContentLength(range.length());
        headers.setETag("\"" + content.objectVersion() + "\"");
        headers.set(HttpHeaders.ACCEPT_RANGES, "bytes");
        headers.setCacheControl("no-store");
        List<Long> checksums = content.crc32c();
        if (!checksums.isEmpty() && checksums.size() <= CHECKSUMS_MAX) {
            headers.set(
                    CHUNK_CRC32C,
                    checksums.stream()
                            .map(crc -> HexFormat.of().toHexDigits(crc.intValue()))
                            .collect(Collectors.joining(",")));
        }
        if (!range.whole()) {
            headers.set(
                    HttpHeaders.CONTENT_RANGE, "bytes " + range.from() + "-" + (range.to() - 1) + "/" + content.size());
            response.setStatusCode(HttpStatus.PARTIAL_CONTENT);
        }
    }

    private static String required(String header, @Nullable String value) {
        if (value == null) {
            throw new ProblemException(Problem.of(ProblemCode.UNAUTHENTICATED, "the header " + header + " is missing"));
        }
        return value;
    }
}
