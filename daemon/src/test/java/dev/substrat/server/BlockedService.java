package dev.substrat.server;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/// A service on loopback that answers only after it is released.
public final class BlockedService implements AutoCloseable {
  private final HttpServer server;
  private final CountDownLatch answer = new CountDownLatch(1);

  /// The methods of the requests it has got.
  final Queue<String> requests = new ConcurrentLinkedQueue<>();

  public BlockedService() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod());
          try (exchange) {
            answer.await();
            byte[] body = "{\"ok\":true}".getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /// How many requests it has got.
  public int count() {
    return requests.size();
  }

  /// Answers all requests from now on.
  public void answer() {
    answer.countDown();
  }

  @Override
  public void close() {
    answer();
    server.stop(0);
  }
}
