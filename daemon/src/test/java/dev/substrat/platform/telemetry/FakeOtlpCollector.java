package dev.substrat.platform.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;

/// Fake OTLP collector that parses the protobuf of spans.
final class FakeOtlpCollector implements AutoCloseable {
  private final HttpServer server;
  private final LinkedBlockingQueue<Span> spans = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> raw = new LinkedBlockingQueue<>();

  /// A span as it arrived; ids in hex, no parent is "".
  record Span(String service, String name, String trace, String id, String parent) {}

  FakeOtlpCollector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/v1/traces", this::take);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  LinkedBlockingQueue<Span> spans() {
    return spans;
  }

  /// All received data, to check that it contains no secret.
  String raw() {
    return String.join("", raw);
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      raw.add(new String(body, StandardCharsets.ISO_8859_1));
      for (byte[] resourceSpans : fields(body, 1)) {
        String resource = text(resourceSpans, 1);
        for (byte[] scopeSpans : fields(resourceSpans, 2)) {
          for (byte[] span : fields(scopeSpans, 2)) {
            spans.add(new Span(resource, text(span, 5), hex(span, 1), hex(span, 2), hex(span, 4)));
          }
        }
      }
      exchange.sendResponseHeaders(200, -1);
    }
  }

  private static String text(byte[] message, int number) {
    List<byte[]> found = fields(message, number);
    return found.isEmpty() ? "" : new String(found.getFirst(), StandardCharsets.UTF_8);
  }

  private static String hex(byte[] message, int number) {
    List<byte[]> found = fields(message, number);
    return found.isEmpty() ? "" : HexFormat.of().formatHex(found.getFirst());
  }

  /// The fields of a message that have that number and a length.
  private static List<byte[]> fields(byte[] message, int number) {
    var found = new ArrayList<byte[]>();
    var in = ByteBuffer.wrap(message);
    while (in.hasRemaining()) {
      long key = varint(in);
      switch ((int) (key & 7)) {
        case 0 -> varint(in);
        case 1 -> in.position(in.position() + 8);
        case 5 -> in.position(in.position() + 4);
        default -> {
          var bytes = new byte[(int) varint(in)];
          in.get(bytes);
          if (key >> 3 == number) {
            found.add(bytes);
          }
        }
      }
    }
    return found;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = in.get();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
