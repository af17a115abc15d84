package dev.substrat.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;
import dev.substrat.protocol.ErrorCode;
import io.helidon.webserver.http.ServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Reads request bodies: not too large, not too slow, and JSON.
final class BodyReader {
  /// Room for a long document pasted into a message, far from what would hurt the heap.
  static final int MAX_BYTES = 4 * 1024 * 1024;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Deadlines deadlines;
  private final Map<Class<? extends Record>, Schema> schemas = new ConcurrentHashMap<>();

  BodyReader(Deadlines deadlines) {
    this.deadlines = deadlines;
  }

  Schema schema(Class<? extends Record> type) {
    return schemas.computeIfAbsent(type, Schema::ofRecord);
  }

  JsonNode json(ServerRequest request) {
    return Json.parse(bytes(request));
  }

  /// Refuses by the announced length before reading, and by the real one while reading.
  static void requireSmall(ServerRequest request) {
    request.headers().contentLength().ifPresent(BodyReader::requireSmall);
  }

  private byte[] bytes(ServerRequest request) {
    if (!request.content().hasEntity()) {
      return new byte[0];
    }
    try (var deadline = deadlines.within(PATIENCE)) {
      return read(request, deadline);
    }
  }

  private static byte[] read(ServerRequest request, Deadlines.Deadline deadline) {
    try {
      InputStream stream = request.content().inputStream();
      byte[] bytes = stream.readNBytes(MAX_BYTES + 1);
      requireSmall(bytes.length);
      return bytes;
    } catch (IOException | UncheckedIOException e) {
      throw deadline.wasMissed()
          ? new Fault(ErrorCode.TIMEOUT, "the body did not arrive in time", "send it faster", e)
          : new Fault(ErrorCode.MALFORMED_REQUEST, "the body broke off", "send it again", e);
    }
  }

  private static void requireSmall(long length) {
    if (length > MAX_BYTES) {
      throw new Fault(
          ErrorCode.TOO_LARGE,
          "the body is larger than " + MAX_BYTES + " bytes",
          "send less, or send it in parts");
    }
  }
}
