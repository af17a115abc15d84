package dev.substrat.bridge;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/// Generator of damaged message lines, reproducible by its seed.
final class DamagedLines {
  private static final String[] WHOLE = {
    McpPipe.INITIALIZE,
    McpPipe.INITIALIZED,
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":\"é世\",\"method\":\"tools/list\",\"params\":{}}",
    "{\"jsonrpc\":\"2.0\",\"id\":-1.5e3,\"method\":\"tools/call\",\"params\":{\"name\":\"check_inbox\","
        + "\"arguments\":{\"a\":[true,false,null,\"\\u00e9\\n\"]}}}",
    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{"
        + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}",
    "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}",
    "[{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}]",
    "{}",
  };
  private static final byte[] TELLING = "{}[]\",:\\0-.eEtfnu \t".getBytes(StandardCharsets.UTF_8);

  private final SplittableRandom random;

  DamagedLines(SplittableRandom random) {
    this.random = random;
  }

  byte[] line() {
    byte[] line = WHOLE[random.nextInt(WHOLE.length)].getBytes(StandardCharsets.UTF_8);
    for (int harm = random.nextInt(4); harm > 0 && line.length > 0; harm--) {
      line = harmed(line);
    }
    return line;
  }

  private byte[] harmed(byte[] line) {
    int at = random.nextInt(line.length);
    int length = random.nextInt(Math.min(8, line.length - at) + 1);
    var out = new ByteArrayOutputStream();
    out.write(line, 0, at);
    switch (random.nextInt(5)) {
      case 0 -> out.write(TELLING[random.nextInt(TELLING.length)]);
      case 1 -> out.write(any());
      case 2 -> out.write(line, random.nextInt(line.length - length + 1), length);
      case 3 -> {
        byte[] other = WHOLE[random.nextInt(WHOLE.length)].getBytes(StandardCharsets.UTF_8);
        out.write(other, 0, random.nextInt(other.length));
      }
      default -> {
        // Removes bytes.
      }
    }
    int from = Math.min(line.length, at + random.nextInt(3));
    out.write(line, from, line.length - from);
    return out.toByteArray();
  }

  /// Any byte but the one that ends a line.
  private int any() {
    int b = random.nextInt(256);
    return b == '\n' ? 0 : b;
  }
}
