package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.RouteAccess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that do not finish a request or do not read a response. Each uses a thread, so each must
/// time out.
@Timeout(300)
final class SlowClientTest {
  private static final ClientTimeouts SHORT =
      new ClientTimeouts(
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofMillis(300));

  private static final int LARGE = 64 * 1024 * 1024;

  /// Request body of these tests.
  public record Word(String word) {}

  private final LinkedBlockingQueue<Thread> serving = new LinkedBlockingQueue<>();
  private final TestServer server =
      new TestServer(
          List.of(
              HttpRoute.read("/fine", RouteAccess.PUBLIC, "", _ -> HttpReply.ok("fine")),
              HttpRoute.read("/large", RouteAccess.PUBLIC, "", _ -> large()),
              HttpRoute.write("/say", RouteAccess.PUBLIC, "", Word.class, this::say)),
          SHORT);

  @AfterEach
  void stop() {
    server.close();
  }

  private HttpReply large() {
    serving.add(Thread.currentThread());
    return HttpReply.text("text/plain", "x".repeat(LARGE));
  }

  private HttpReply say(HttpExchange exchange) {
    serving.add(Thread.currentThread());
    return HttpReply.ok(exchange.body(Word.class));
  }

  /// A deadline keeps its thread and with it everything the connection has read.
  @Test
  void a_rejected_connection_leaves_no_state() throws Exception {
    for (String head : List.of("\u0001\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nb\u0001d\r\n\r\n")) {
      try (var client = new RawClient(server.url())) {
        client.send(head);
        assertThat(client.rest()).startsWith("HTTP/1.1 400 ");
      }
    }
    long end = System.nanoTime() + SHORT.headers().dividedBy(2).toNanos();
    while (server.openDeadlines() > 0) {
      assertThat(System.nanoTime()).as("they end with the connection").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  @Test
  void a_body_that_does_not_arrive_times_out() throws Exception {
    try (var client = new RawClient(server.url())) {
      client.send("POST /say HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17\r\n\r\n{\"word\":");
      assertThat(client.rest()).isEmpty();
    }
    assertIsOver();
  }

  @Test
  void a_chunk_that_does_not_arrive_times_out() throws Exception {
    try (var client = new RawClient(server.url())) {
      client.send(
          "POST /say HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{");
      assertThat(client.rest()).isEmpty();
    }
    assertIsOver();
  }

  @Test
  void a_truncated_body_is_a_malformed_request() throws Exception {
    try (var client = new RawClient(server.url())) {
      client.send("POST /say HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17\r\n\r\n{\"word\":");
      client.finish();
      assertThat(client.rest()).startsWith("HTTP/1.1 400 ").contains("MALFORMED_REQUEST");
    }
    assertIsOver();
  }

  @Test
  void the_body_of_a_rejected_request_is_not_awaited() throws Exception {
    try (var client = new RawClient(server.url())) {
      client.send(
          "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Length: 17\r\n\r\n{\"word\":");
      assertThat(client.rest()).startsWith("HTTP/1.1 401 ");
    }
    assertThat(ask()).contains("fine");
  }

  @Test
  void incomplete_headers_time_out() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /fine HTTP/1.1\r\nHost: localhost\r\nX-And-So: on");
      assertThat(client.rest()).isEmpty();
    }
    assertThat(ask()).contains("fine");
  }

  @Test
  void an_incomplete_request_line_times_out() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /fi");
      assertThat(client.rest()).isEmpty();
    }
    assertThat(ask()).contains("fine");
  }

  @Test
  void a_request_line_that_arrives_byte_by_byte_times_out() {
    try (var client = new RawClient(server.url())) {
      // Each byte waits for answers on other connections: the line must not become too long.
      while (client.isSent(new byte[] {'G'})) {
        for (int i = 0; i < 10; i++) {
          assertThat(ask()).contains("fine");
        }
      }
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void a_connection_without_a_request_is_closed() {
    try (var client = new RawClient(server.url())) {
      assertThat(client.rest()).isEmpty();
    }
  }

  @Test
  void an_incomplete_second_request_times_out() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /fine HTTP/1.1\r\nHost: localhost\r\n\r\nGET /fi");
      assertThat(client.rest()).containsOnlyOnce("HTTP/1.1 200 ");
    }
  }

  @Test
  void between_requests_a_connection_may_be_idle() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /fine HTTP/1.1\r\nHost: localhost\r\n\r\n");
      client.until("fine\"");
      try (var silent = new RawClient(server.url())) {
        assertThat(silent.rest()).as("it is closed when the time for a head is up").isEmpty();
      }
      client.send("GET /fine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).contains("fine");
    }
  }

  @Test
  void late_headers_within_the_timeout_are_accepted() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /fine HTTP/1.1\r\n");
      client.send("Host: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).contains("fine");
    }
  }

  @Test
  void a_client_that_never_reads_is_disconnected() throws Exception {
    try (var client = new RawClient(server.url(), 4096)) {
      client.send("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertIsOver();
      assertThat(client.rest()).hasSizeLessThan(LARGE);
    }
  }

  @Test
  void a_slow_client_that_reads_gets_the_whole_response() {
    try (var client = new RawClient(server.url())) {
      client.send("GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(client.rest()).hasSizeGreaterThan(LARGE);
    }
  }

  private void assertIsOver() throws InterruptedException {
    Thread thread = serving.poll(120, TimeUnit.SECONDS);
    assertThat(thread).isNotNull();
    assertThat(thread.join(Duration.ofMinutes(2))).as("the thread is gone").isTrue();
    assertThat(ask()).contains("fine");
  }

  private String ask() {
    return RawClient.talk(
        server.url(), "GET /fine HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  }
}
