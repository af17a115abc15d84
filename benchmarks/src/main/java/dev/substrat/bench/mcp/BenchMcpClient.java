package dev.substrat.bench.mcp;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// MCP client that repeats one request, with a session if the server has sessions. Belongs to one
/// thread at a time.
final class BenchMcpClient implements AutoCloseable {
  /// All ids have as many digits, so that every request is as long.
  private static final long FIRST_ID = 1_000_000_000L;

  private static final String REVISION = "2025-11-25";
  private static final String INITIALIZE =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"%s",\
      "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}\
      """
          .formatted(REVISION);

  private final BenchConnection connection;
  private final BenchRequest question;
  private final byte[] request;
  private final int idPlace;
  private long id = FIRST_ID;

  BenchMcpClient(URI server, @Nullable String token, BenchRequest question) throws IOException {
    this.connection = new BenchConnection(server);
    this.question = question;
    String head = head(server, token);
    BenchConnection.Answer hello = sent(head, INITIALIZE);
    Optional<String> session = hello.header("mcp-session-id");
    String known = head + session.map(value -> "Mcp-Session-Id: " + value + "\r\n").orElse("");
    sent(known, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
    String body =
        "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":%s}"
            .formatted(FIRST_ID, question.method(), question.params());
    this.request = bytes(known, body);
    this.idPlace = new String(request, StandardCharsets.UTF_8).indexOf("" + FIRST_ID);
  }

  private static String head(URI server, @Nullable String token) {
    return """
    POST %s HTTP/1.1\r
    Host: %s:%d\r
    Content-Type: application/json\r
    Accept: application/json, text/event-stream\r
    MCP-Protocol-Version: %s\r
    """
            .formatted(server.getPath(), server.getHost(), server.getPort(), REVISION)
        + (token == null ? "" : "Authorization: Bearer " + token + "\r\n");
  }

  private BenchConnection.Answer sent(String head, String body) throws IOException {
    BenchConnection.Answer answer = connection.exchange(bytes(head, body));
    if (answer.status() / 100 != 2) {
      throw new IllegalStateException("answered " + answer.status() + ": " + answer.body());
    }
    return answer;
  }

  private static byte[] bytes(String head, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return (head + "Content-Length: " + length + "\r\n\r\n" + body)
        .getBytes(StandardCharsets.UTF_8);
  }

  /// Asks once more; a wrong answer ends the benchmark, because an error is quicker than an answer.
  void ask() throws IOException {
    id++;
    byte[] digits = Long.toString(id).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(digits, 0, request, idPlace, digits.length);
    BenchConnection.Answer answer = connection.exchange(request);
    if (answer.status() != 200 || !question.check().isRight(answer.body(), id)) {
      throw new IllegalStateException(
          question.method() + " was answered " + answer.status() + ": " + answer.body());
    }
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
