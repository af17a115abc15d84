package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.NameResolver;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests end at their deadline, when their thread is interrupted, or when the response is
/// closed, and their connections are closed.
@Timeout(300)
final class HttpDeadlineTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int FOR_EVER = Integer.MAX_VALUE;

  private final TestHttpClient calls = TestHttpClient.toLoopback();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);

  @AfterEach
  void close() {
    calls.close();
  }

  /// Each byte arrives in time, but the response never ends.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 200 OK\r\nA: ",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99;",
        "HTTP/1.1 302 OK\r\nLocation: /x\r\n\r\n"
      })
  @Requirement("S3-16")
  void a_response_that_arrives_too_slowly_ends_at_the_deadline(String beginning) throws Exception {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say(beginning);
          visit.drip("x", FOR_EVER);
          left.countDown();
        })) {
      assertTimedOut(TestHttpClient.within(SHORT, server.url("/")));
      assertThat(left.await(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_server_without_response_ends_at_the_deadline() throws Exception {
    try (var server = silent()) {
      assertTimedOut(TestHttpClient.within(SHORT, server.url("/")));
      assertThat(left.await(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_slow_tls_handshake_ends_at_the_deadline() {
    try (var server = new RawServer(visit -> visit.drip("\u0016", FOR_EVER))) {
      assertTimedOut(TestHttpClient.within(SHORT, server.url("/").replace("http:", "https:")));
    }
  }

  @Test
  void a_server_that_does_not_read_the_request_ends_at_the_deadline() throws Exception {
    var done = new CountDownLatch(1);
    try (var server = new RawServer(_ -> done.await())) {
      assertTimedOut(
          new OutgoingRequest(
              "POST",
              server.url("/"),
              Map.of(),
              "x".repeat(32 << 20),
              SHORT,
              TestHttpClient.MOST_BYTES));
    } finally {
      done.countDown();
    }
  }

  @Test
  void a_name_server_without_response_ends_at_the_deadline() {
    var never = new CountDownLatch(1);
    NameResolver silent =
        _ -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return List.of();
        };
    try (var telemetry = Telemetry.withoutExport();
        var outgoing =
            new GuardedHttpClient(
                AllowedHosts.NONE,
                telemetry,
                "1.2",
                silent,
                () -> {
                  throw new AssertionError("nobody got that far");
                })) {
      assertThatExceptionOfType(OutgoingFailure.class)
          .isThrownBy(() -> outgoing.send(TestHttpClient.within(SHORT, "http://slow.example/")))
          .satisfies(failure -> assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_interrupt_ends_the_request(boolean isVirtual) throws Exception {
    try (var server = silent()) {
      var seen = new CompletableFuture<Throwable>();
      Runnable work =
          () -> {
            Throwable failure = catchThrowable(() -> calls.read(server.url("/")));
            seen.complete(
                Thread.currentThread().isInterrupted()
                    ? failure
                    : new AssertionError("the interrupt was swallowed", failure));
          };
      Thread caller = isVirtual ? Thread.startVirtualThread(work) : Thread.ofPlatform().start(work);
      assertThat(asked.await(120, TimeUnit.SECONDS)).isTrue();
      caller.interrupt();

      assertThat(seen.get(120, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              OutgoingFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo(FailureReason.CANCELLED));
      assertThat(left.await(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void closing_a_response_ends_a_waiting_read() throws Exception {
    try (var server = streaming()) {
      OutgoingResponseStream stream =
          calls.outgoing().open(TestHttpClient.get(server.url("/"))).untilClosed();
      assertThat(stream.body().read()).isEqualTo('x');
      var reader = new CompletableFuture<Throwable>();
      var reading = new CountDownLatch(1);
      Thread.startVirtualThread(() -> {
        reading.countDown();
        reader.complete(catchThrowable(() -> stream.body().read()));
      });
      assertThat(reading.await(120, TimeUnit.SECONDS)).isTrue();
      stream.close();

      assertThat(reader.get(120, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              OutgoingFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo(FailureReason.CANCELLED));
      assertThat(left.await(120, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void the_deadline_applies_to_a_body_that_is_read_in_parts() throws Exception {
    try (var server = streaming();
        var stream = calls.outgoing().open(TestHttpClient.within(SHORT, server.url("/")))) {
      assertThat(stream.body().read()).isEqualTo('x');
      assertThatExceptionOfType(OutgoingFailure.class)
          .isThrownBy(() -> stream.body().readAllBytes())
          .satisfies(failure -> assertThat(failure.reason()).isEqualTo(FailureReason.TIMED_OUT));
    }
  }

  @Test
  void a_stream_may_last_until_it_is_closed() throws IOException {
    int drops = 40;
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say("HTTP/1.1 200 OK\r\n\r\n");
          visit.drip("x", drops);
        })) {
      long start = System.nanoTime();
      try (var stream =
          calls.outgoing().open(TestHttpClient.within(SHORT, server.url("/"))).untilClosed()) {
        assertThat(stream.body().readAllBytes()).hasSize(drops);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT);
    }
  }

  @Test
  void closing_the_client_ends_requests_and_rejects_new_ones() throws Exception {
    try (var server = silent()) {
      var seen = new CompletableFuture<OutgoingFailure>();
      Thread.startVirtualThread(() -> seen.complete(calls.failure(server.url("/"))));
      assertThat(asked.await(120, TimeUnit.SECONDS)).isTrue();
      calls.outgoing().close();

      assertThat(seen.get(120, TimeUnit.SECONDS).reason()).isEqualTo(FailureReason.CANCELLED);
      assertThat(calls.failure(server.url("/")).reason()).isEqualTo(FailureReason.CANCELLED);
      assertThat(calls.failure("http://api.example/").reason()).isEqualTo(FailureReason.CANCELLED);
    }
  }

  /// Reads the request and sends nothing until the client disconnects.
  private RawServer silent() {
    return new RawServer(visit -> {
      visit.request();
      asked.countDown();
      visit.awaitEnd();
      left.countDown();
    });
  }

  /// Starts a response and sends nothing more until the client disconnects.
  private RawServer streaming() {
    return new RawServer(visit -> {
      visit.request();
      visit.say("HTTP/1.1 200 OK\r\n\r\nx");
      visit.awaitEnd();
      left.countDown();
    });
  }

  private void assertTimedOut(OutgoingRequest request) {
    OutgoingFailure failure = calls.failure(request);

    assertThat(failure.reason()).as(failure.message()).isEqualTo(FailureReason.TIMED_OUT);
    assertThat(failure.fault().code()).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(failure.message()).contains("300 ms");
  }
}
