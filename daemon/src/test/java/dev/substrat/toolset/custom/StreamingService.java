package dev.substrat.toolset.custom;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// A service on loopback that answers one request with lines of JSON, sent when the test says so.
final class StreamingService implements AutoCloseable {
  private static final String HEAD =
      "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n\r\n";

  private final ServerSocket server;
  private final CompletableFuture<OutputStream> response = new CompletableFuture<>();
  private final CountDownLatch over = new CountDownLatch(1);

  StreamingService() throws IOException {
    this.server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return server.getLocalPort();
  }

  private void serve() {
    try (Socket client = server.accept()) {
      var request = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
      for (String line = request.readLine(); line != null && !line.isEmpty(); ) {
        line = request.readLine();
      }
      client.getOutputStream().write(HEAD.getBytes(UTF_8));
      response.complete(client.getOutputStream());
      over.await();
    } catch (IOException | InterruptedException e) {
      response.completeExceptionally(e);
    }
  }

  /// Sends `lines` as soon as there is a request.
  void send(String lines) {
    try {
      OutputStream out = response.join();
      out.write(lines.getBytes(UTF_8));
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends the response.
  void end() {
    over.countDown();
  }

  @Override
  public void close() throws IOException {
    over.countDown();
    server.close();
  }
}
