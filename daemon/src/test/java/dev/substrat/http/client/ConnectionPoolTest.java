package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A connection is reused only if no data of another request can be left on it.
@Timeout(300)
final class ConnectionPoolTest {
  private final TestHttpClient calls = TestHttpClient.toLoopback();

  @AfterEach
  void close() {
    calls.close();
  }

  @Test
  void a_connection_is_reused() {
    try (var server = RawServer.answering(RawServer.ok("fine"))) {
      for (int i = 0; i < 10; i++) {
        calls.outgoing().send(TestHttpClient.request("POST", server.url("/"), Map.of(), "x"));
      }
      assertThat(server.visits()).isEqualTo(1);
    }
  }

  @Test
  void a_connection_with_connection_close_is_not_reused() {
    try (var server =
        RawServer.answering("HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n")) {
      calls.read(server.url("/"));
      calls.read(server.url("/"));
      assertThat(server.visits()).isEqualTo(2);
    }
  }

  /// The server closes after each response without announcing it. A request that is not idempotent
  /// must not be sent on such a connection.
  @Test
  void a_pooled_connection_that_was_closed_is_detected() throws InterruptedException {
    var hungUp = new Semaphore(0);
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say(RawServer.ok("fine"));
          visit.close();
          hungUp.release();
        })) {
      for (int i = 0; i < 10; i++) {
        var reply =
            calls.outgoing().send(TestHttpClient.request("POST", server.url("/"), Map.of(), "x"));
        assertThat(reply.text()).isEqualTo("fine");
        assertThat(hungUp.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  /// It takes a second request and hangs up.
  @ParameterizedTest
  @CsvSource({"GET, true", "PUT, true", "DELETE, true", "POST, false", "PATCH, false"})
  void a_repeatable_request_is_resent_if_a_pooled_connection_dies(
      String method, boolean isSentAgain) {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say(RawServer.ok("fine"));
          visit.request();
        })) {
      calls.read(server.url("/"));
      var request = TestHttpClient.request(method, server.url("/"), Map.of(), "");
      if (isSentAgain) {
        assertThat(calls.outgoing().send(request).text()).isEqualTo("fine");
      } else {
        assertThat(calls.failure(request).reason()).isEqualTo(FailureReason.BROKEN);
      }
      assertThat(server.visits()).isEqualTo(isSentAgain ? 2 : 1);
    }
  }

  /// The next request must not read an unsolicited response.
  @Test
  void data_after_a_response_is_ignored() {
    try (var server = RawServer.answering(RawServer.ok("mine") + RawServer.ok("poison"))) {
      assertThat(calls.read(server.url("/"))).isEqualTo("mine");
      assertThat(calls.read(server.url("/"))).isEqualTo("mine");
      assertThat(server.visits()).isEqualTo(2);
    }
  }

  @Test
  void concurrent_requests_each_get_their_own_response() throws Exception {
    try (var server =
            new RawServer(visit -> {
              while (true) {
                visit.say(RawServer.ok(visit.request().split(" ")[1]));
              }
            });
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var replies = new AtomicInteger();
      var tasks =
          IntStream.range(0, 200)
              .mapToObj(i ->
                  threads.submit(() -> {
                    assertThat(calls.read(server.url("/" + i))).isEqualTo("/" + i);
                    return replies.incrementAndGet();
                  }))
              .toList();
      for (var task : tasks) {
        task.get();
      }
      assertThat(replies).hasValue(200);
    }
  }
}
