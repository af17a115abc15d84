package dev.substrat.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Reads request bodies with limits on size and time, and parses JSON.
final class RequestBodyReader {
  /// Enough for a long document in a message, and small compared to the heap.
  static final int MAX_BYTES = 4 * 1024 * 1024;

  /// For routes without a credential: enough for a token and the URL of the next page.
  static final int MAX_PUBLIC_BYTES = 8 * 1024;

  private final SocketTimeouts deadlines;
  private final Duration timeout;
  private final ClientConnection wire;
  private final RequestBodyMemory memory;
  private final Map<Class<? extends Record>, JsonSchema> schemas = new ConcurrentHashMap<>();

  RequestBodyReader(SocketTimeouts deadlines, Duration timeout, ClientConnection wire) {
    this.deadlines = deadlines;
    this.timeout = timeout;
    this.wire = wire;
    this.memory =
        new RequestBodyMemory(
            Runtime.getRuntime().maxMemory() / RequestBodyMemory.PART_OF_HEAP, timeout);
  }

  /// Rejects by the declared length before reading, and by the actual length while reading.
  static void requireSmall(ServerRequest request) {
    request.headers().contentLength().ifPresent(length -> requireSmall(length, MAX_BYTES));
  }

  /// Body of `request`, not read yet.
  RequestBody of(ServerRequest request, boolean isPublic) {
    return new RequestBody(request, isPublic ? MAX_PUBLIC_BYTES : MAX_BYTES);
  }

  /// The body of one request, read when it is asked for. Closed when the request was handled.
  final class RequestBody implements AutoCloseable {
    private final ServerRequest request;
    private final RequestBodyMemory.MemoryShare share = memory.new MemoryShare();
    private int most;

    private RequestBody(ServerRequest request, int most) {
      this.request = request;
      this.most = most;
    }

    /// Raises the limit to that of a caller with a token.
    void raiseLimit() {
      most = MAX_BYTES;
    }

    JsonNode json() {
      return Json.parse(bytes());
    }

    <T extends Record> T json(Class<T> type) {
      JsonNode tree = json();
      schemas.computeIfAbsent(type, JsonSchema::ofRecord).require(tree);
      return Json.as(tree, type);
    }

    FormData form() {
      return FormData.parse(new String(bytes(), StandardCharsets.UTF_8));
    }

    private byte[] bytes() {
      if (!request.content().hasEntity()) {
        return new byte[0];
      }
      long announced = request.headers().contentLength().orElse(0);
      requireSmall(announced, most);
      share.take((int) announced);
      try (var deadline = deadlines.within(timeout)) {
        return read(deadline);
      }
    }

    /// Every exception of Helidon while it reads means that the client sent an invalid body.
    private byte[] read(SocketTimeouts.SocketDeadline deadline) {
      try {
        InputStream stream = request.content().inputStream();
        if (request.headers().contentLength().isPresent()) {
          return stream.readAllBytes();
        }
        byte[] body = wire.chunks(most, share);
        // Only the empty last chunk is left.
        stream.readAllBytes();
        return body;
      } catch (Fault fault) {
        throw fault;
      } catch (IOException | RuntimeException e) {
        throw deadline.wasMissed()
            ? ErrorCode.TIMEOUT.fault(
                "the request body did not arrive in time",
                "send the whole body without long pauses",
                e)
            : ErrorCode.MALFORMED_REQUEST.fault(
                "the request body is incomplete", "send the request again", e);
      }
    }

    @Override
    public void close() {
      share.close();
    }
  }

  static void requireSmall(long length, int most) {
    if (length > most) {
      throw ErrorCode.TOO_LARGE.fault(
          "the request body is larger than " + ByteSizeFormatter.words(most),
          "send less data, or split it into several requests");
    }
  }
}
