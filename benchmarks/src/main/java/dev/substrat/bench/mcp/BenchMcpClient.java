package dev.substrat.bench.mcp;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
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

  /// Keep-alive HTTP/1.1 connection that parses as little of an answer as possible, so that the
  /// server is measured. Belongs to one thread.
  private static final class BenchConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;
    private byte[] buffer = new byte[64 * 1024];
    private int position;
    private int end;

    BenchConnection(URI server) throws IOException {
      this.socket = new Socket(server.getHost(), server.getPort());
      this.in = socket.getInputStream();
      socket.setTcpNoDelay(true);
    }

    /// Bodies are read as Latin-1: only ASCII is searched in them.
    record Answer(int status, String head, String body) {

      Optional<String> header(String name) {
        String line = "\r\n" + name.toLowerCase(Locale.ROOT) + ":";
        int at = head.toLowerCase(Locale.ROOT).indexOf(line);
        return at < 0
            ? Optional.empty()
            : Optional.of(
                head.substring(at + line.length(), head.indexOf("\r\n", at + line.length()))
                    .strip());
      }
    }

    /// Sends a whole request and reads the whole answer to it.
    Answer exchange(byte[] request) throws IOException {
      socket.getOutputStream().write(request);
      String head = head();
      int status = Integer.parseInt(head.substring(9, 12));
      var unread = new Answer(status, head, "");
      if (unread.header("transfer-encoding").isPresent()) {
        return new Answer(status, head, chunks());
      }
      int length = unread.header("content-length").map(Integer::parseInt).orElse(0);
      return new Answer(status, head, take(length));
    }

    private String head() throws IOException {
      int from = position;
      while (true) {
        for (int i = Math.max(from, position + 3); i < end; i++) {
          if (buffer[i] == '\n' && buffer[i - 1] == '\r' && buffer[i - 2] == '\n') {
            return take(i + 1 - position);
          }
        }
        int scanned = end - position;
        fill();
        from = position + scanned;
      }
    }

    private String chunks() throws IOException {
      var body = new StringBuilder();
      while (true) {
        int size = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
        body.append(take(size));
        line();
        if (size == 0) {
          return body.toString();
        }
      }
    }

    private String line() throws IOException {
      int length = 0;
      while (true) {
        if (position + length == end) {
          fill();
        }
        if (buffer[position + length] == '\n') {
          String line = take(length + 1);
          return line.substring(0, length - 1);
        }
        length++;
      }
    }

    private String take(int length) throws IOException {
      while (end - position < length) {
        fill();
      }
      var text = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
      position += length;
      return text;
    }

    private void fill() throws IOException {
      if (position > 0) {
        System.arraycopy(buffer, position, buffer, 0, end - position);
        end -= position;
        position = 0;
      }
      if (end == buffer.length) {
        buffer = Arrays.copyOf(buffer, 2 * buffer.length);
      }
      int read = in.read(buffer, end, buffer.length - end);
      if (read < 0) {
        throw new EOFException("the server closed the connection");
      }
      end += read;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
