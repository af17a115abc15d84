package dev.substrat.cli.client;

import dev.substrat.protocol.BodyFraming;
import dev.substrat.protocol.ResponseHead;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/// Minimal HTTP/1.1 client: one request and its response on one connection.
///
/// Loading the JDK's HTTP client would take longer than the rest of a command. Its features (pools,
/// redirects, proxies) are not wanted on a connection that carries a token. TLS is loaded only for
/// https URLs.
final class HttpCall implements AutoCloseable {
  /// A request; the target is an encoded path with query.
  record HttpRequestParts(String method, String target, Map<String, String> headers, String body) {}

  private final DaemonConnection connection;
  private final int status;
  private final InputStream body;

  private HttpCall(DaemonConnection connection, int status, InputStream body) {
    this.connection = connection;
    this.status = status;
    this.body = body;
  }

  /// Sends the request and reads the head of the response; the body follows.
  static HttpCall send(DaemonAddress daemon, HttpRequestParts request, Duration timeout)
      throws IOException {
    var connection = daemon.connect();
    try {
      connection.timeout(timeout);
      connection.write(message(daemon, request));
      return answer(connection, request.method());
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static byte[] message(DaemonAddress daemon, HttpRequestParts request) {
    byte[] body = request.body().getBytes(StandardCharsets.UTF_8);
    var head =
        new StringBuilder()
            .append(request.method())
            .append(' ')
            .append(request.target())
            .append(" HTTP/1.1\r\nHost: ")
            .append(daemon.host())
            .append("\r\nConnection: close\r\nContent-Length: ")
            .append(body.length)
            .append("\r\n");
    request
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    var whole = new byte[start.length + body.length];
    System.arraycopy(start, 0, whole, 0, start.length);
    System.arraycopy(body, 0, whole, start.length, body.length);
    return whole;
  }

  private static HttpCall answer(DaemonConnection connection, String method) throws IOException {
    var in = new BufferedInputStream(connection.input());
    ResponseHead head = ResponseHead.read(in);
    return new HttpCall(connection, head.status(), BodyFraming.of(head, method).body(in));
  }

  int status() {
    return status;
  }

  InputStream body() {
    return body;
  }

  /// Sets the read timeout.
  void readTimeout(Duration longest) throws SocketException {
    connection.timeout(longest);
  }

  @Override
  public void close() throws IOException {
    connection.close();
  }
}
