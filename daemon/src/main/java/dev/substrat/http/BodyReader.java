package dev.substrat.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.protocol.Bytes;
import dev.substrat.protocol.ErrorCode;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Reads request bodies: not too large, not too slow, and JSON.
final class BodyReader {
  /// Room for a long document pasted into a message, far from what would hurt the heap.
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private final Deadlines deadlines;
  private final Duration patience;
  private final Wire wire;
  private final Map<Class<? extends Record>, Schema> schemas = new ConcurrentHashMap<>();

  BodyReader(Deadlines deadlines, Duration patience, Wire wire) {
    this.deadlines = deadlines;
    this.patience = patience;
    this.wire = wire;
  }

  Schema schema(Class<? extends Record> type) {
    return schemas.computeIfAbsent(type, Schema::ofRecord);
  }

  JsonNode json(ServerRequest request) {
    return Json.parse(bytes(request));
  }

  Form form(ServerRequest request) {
    return Form.parse(new String(bytes(request), StandardCharsets.UTF_8));
  }

  /// Refuses by the announced length before reading, and by the real one while reading.
  static void requireSmall(ServerRequest request) {
    request.headers().contentLength().ifPresent(length -> requireSmall(length, MAX_BYTES));
  }

  private byte[] bytes(ServerRequest request) {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (var deadline = deadlines.within(patience)) {
      return read(request, deadline);
    }
  }

  /// Whatever Helidon throws while it reads, the client has sent something else than it promised.
  private byte[] read(ServerRequest request, Deadlines.Deadline deadline) {
    try {
      InputStream stream = request.content().inputStream();
      if (request.headers().contentLength().isPresent()) {
        return stream.readAllBytes();
      }
      byte[] body = wire.chunks(MAX_BYTES);
      // Nothing comes any more but the empty chunk at the end.
      stream.readAllBytes();
      return body;
    } catch (Fault fault) {
      throw fault;
    } catch (IOException | RuntimeException e) {
      throw deadline.wasMissed()
          ? new Fault(ErrorCode.TIMEOUT, "the body did not arrive in time", "send it faster", e)
          : new Fault(ErrorCode.MALFORMED_REQUEST, "the body broke off", "send it again", e);
    }
  }

  static void requireSmall(long length, int most) {
    if (length > most) {
      throw new Fault(
          ErrorCode.TOO_LARGE,
          "the body is larger than " + Bytes.words(most),
          "send less, or send it in parts");
    }
  }
}
