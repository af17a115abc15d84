package dev.substrat.cli.client;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Minimal HTTP/1.1 client: one request and its response on one connection.
///
/// Loading the JDK's HTTP client would take longer than the rest of a command. Its features (pools,
/// redirects, proxies) are not wanted on a connection that carries a token. TLS is loaded only for
/// https URLs.
final class HttpCall implements AutoCloseable {
  /// A request; the target is an encoded path with query.
  record Request(String method, String target, Map<String, String> headers, String body) {}

  private final DaemonConnection connection;
  private final int status;
  private final InputStream body;

  private HttpCall(DaemonConnection connection, int status, InputStream body) {
    this.connection = connection;
    this.status = status;
    this.body = body;
  }

  /// Sends the request and reads the head of the response; the body follows.
  static HttpCall send(DaemonAddress daemon, Request request, Duration patience)
      throws IOException {
    var connection = daemon.connect();
    try {
      connection.timeout(patience);
      connection.write(message(daemon, request));
      return answer(connection, request.method());
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private static byte[] message(DaemonAddress daemon, Request request) {
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
    int status = status(HttpResponseBody.line(in));
    Map<String, String> headers = headers(in);
    // Skips interim responses (100, 103).
    while (status / 100 == 1) {
      status = status(HttpResponseBody.line(in));
      headers = headers(in);
    }
    boolean bare = method.equals("HEAD") || status == 204 || status == 304;
    InputStream body =
        bare
            ? HttpResponseBody.empty(in)
            : HttpResponseBody.of(
                in, headers.get("transfer-encoding"), headers.get("content-length"));
    return new HttpCall(connection, status, body);
  }

  private static int status(String line) throws IOException {
    String[] words = line.split(" ", 3);
    if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5]\\d\\d")) {
      throw new IOException("the response is not HTTP");
    }
    return Integer.parseInt(words[1]);
  }

  private static Map<String, String> headers(InputStream in) throws IOException {
    var headers = new TreeMap<String, String>();
    for (String line = HttpResponseBody.line(in);
        !line.isEmpty();
        line = HttpResponseBody.line(in)) {
      int colon = line.indexOf(':');
      if (colon < 1 || headers.size() > 200) {
        throw new IOException("the response is not HTTP");
      }
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
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
