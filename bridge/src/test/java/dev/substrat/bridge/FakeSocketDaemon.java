package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Fake daemon: HTTP on a Unix socket that `daemon.json` names. The test answers each request.
final class FakeSocketDaemon implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ServerSocketChannel server;
  private final Path file;
  private final Path socket;
  private final LinkedBlockingQueue<ReceivedRequest> asked = new LinkedBlockingQueue<>();
  private final Queue<SocketChannel> connections = new ConcurrentLinkedQueue<>();

  FakeSocketDaemon(Path data, String socketName) throws IOException {
    this.socket = data.resolve(socketName);
    this.file = data.resolve("daemon.json");
    Files.deleteIfExists(socket);
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(socket));
    Files.writeString(
        file, "{\"url\":\"http://127.0.0.1:1\",\"socket\":\"%s\",\"pid\":1}".formatted(socket));
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel connection = server.accept();
        connections.add(connection);
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private void serve(SocketChannel connection) {
    try (connection) {
      var in = new BufferedInputStream(Channels.newInputStream(connection));
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        var headers = new TreeMap<String, String>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          String[] parts = header.split(": ", 2);
          headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        var one =
            new ReceivedRequest(
                line, headers, body, Channels.newOutputStream(connection), connection);
        asked.add(one);
        one.awaitAnswered();
      }
    } catch (IOException | InterruptedException _) {
      // The connection or the test has ended.
    }
  }

  private static String line(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        return "";
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  /// The next request; fails if none arrives.
  ReceivedRequest next() throws InterruptedException {
    ReceivedRequest next = asked.poll(60, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no request");
    }
    return next;
  }

  /// The next request with this MCP or HTTP method; earlier requests are not answered.
  ReceivedRequest next(String method) throws InterruptedException {
    ReceivedRequest next = next();
    if (!next.method().equals(method)) {
      throw new AssertionError("asked for " + next.method() + " instead of " + method);
    }
    return next;
  }

  /// Answers the handshake and refuses the stream that follows.
  void welcome(String session) throws Exception {
    next("initialize")
        .answers(
            "Mcp-Session-Id: " + session,
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{}}");
    next("notifications/initialized").status(202, "");
    next("GET").status(405, "");
  }

  /// Simulates a kill: breaks every connection and leaves the socket file.
  @Override
  public void close() throws IOException {
    server.close();
    for (SocketChannel connection : connections) {
      connection.close();
    }
  }

  /// One request.
  static final class ReceivedRequest {
    private final String line;
    private final Map<String, String> headers;
    private final byte[] body;
    private final OutputStream out;
    private final SocketChannel connection;
    private final CountDownLatch answered = new CountDownLatch(1);

    private ReceivedRequest(
        String line,
        Map<String, String> headers,
        byte[] body,
        OutputStream out,
        SocketChannel connection) {
      this.line = line;
      this.headers = headers;
      this.body = body;
      this.out = out;
      this.connection = connection;
    }

    private void awaitAnswered() throws InterruptedException {
      answered.await();
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    String line() {
      return line;
    }

    String body() {
      return new String(body, StandardCharsets.UTF_8);
    }

    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }

    String method() {
      try {
        return body.length == 0 ? line.split(" ")[0] : json().path("method").asText(line);
      } catch (IOException e) {
        return line;
      }
    }

    void status(int status, String text) throws IOException {
      status(status, "X-Nothing: more", text);
    }

    void status(int status, String header, String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      write(
          "HTTP/1.1 %d Whatever\r\nContent-Type: application/json\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(status, header, bytes.length, text));
      answered.countDown();
    }

    void answers(String result) throws IOException {
      answers("X-Nothing: more", result);
    }

    void answers(String header, String result) throws IOException {
      status(
          200,
          header,
          "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(json().get("id"), result));
    }

    /// Opens an event stream.
    ReceivedRequest streams() throws IOException {
      write(
          "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
      chunk(": hello\n\n");
      return this;
    }

    ReceivedRequest event(String json) throws IOException {
      chunk("event: message\ndata: " + json + "\n\n");
      return this;
    }

    void result(String result) throws IOException {
      event("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}".formatted(json().get("id"), result));
      endStream();
    }

    void endStream() throws IOException {
      write("0\r\n\r\n");
      answered.countDown();
    }

    void chunk(String text) throws IOException {
      int length = text.getBytes(StandardCharsets.UTF_8).length;
      write(Integer.toHexString(length) + "\r\n" + text + "\r\n");
    }

    private void write(String text) throws IOException {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }

    /// Breaks the connection without a response.
    void drops() throws IOException {
      connection.close();
      answered.countDown();
    }

    /// Waits until the bridge has closed the connection, also by a reset.
    void awaitClosed() throws IOException {
      try {
        if (Channels.newInputStream(connection).read() >= 0) {
          throw new AssertionError("it talks on");
        }
      } catch (SocketException closed) {
        assertThat(closed).hasMessage("Connection reset");
      }
    }
  }
}
