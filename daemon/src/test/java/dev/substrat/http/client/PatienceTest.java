package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.address.NameResolver;
import dev.substrat.http.client.OutgoingFailure.Reason;
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

/// Calls end: at their deadline, when their thread is interrupted, when their reply is closed. And
/// with them their connections.
@Timeout(60)
final class PatienceTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final int FOR_EVER = Integer.MAX_VALUE;

  private final Calls calls = Calls.toLoopback();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);

  @AfterEach
  void close() {
    calls.close();
  }

  /// Each byte comes well in time, but there are always more.
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
  void a_reply_that_drips_is_not_waited_for(String beginning) throws Exception {
    try (var server =
        new RawServer(visit -> {
          visit.request();
          visit.say(beginning);
          visit.drip("x", FOR_EVER);
          left.countDown();
        })) {
      assertTimedOut(Calls.within(SHORT, server.url("/")));
      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_server_that_is_silent_is_not_waited_for() throws Exception {
    try (var server = silent()) {
      assertTimedOut(Calls.within(SHORT, server.url("/")));
      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_handshake_that_drips_is_not_waited_for() {
    try (var server = new RawServer(visit -> visit.drip("\u0016", FOR_EVER))) {
      assertTimedOut(Calls.within(SHORT, server.url("/").replace("http:", "https:")));
    }
  }

  @Test
  void a_server_that_does_not_listen_is_not_talked_to_for_ever() throws Exception {
    var done = new CountDownLatch(1);
    try (var server = new RawServer(_ -> done.await())) {
      assertTimedOut(
          new OutgoingRequest(
              "POST", server.url("/"), Map.of(), "x".repeat(32 << 20), SHORT, Calls.MOST_BYTES));
    } finally {
      done.countDown();
    }
  }

  @Test
  void a_name_server_that_is_silent_is_not_waited_for() {
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
          .isThrownBy(() -> outgoing.send(Calls.within(SHORT, "http://slow.example/")))
          .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void an_interrupted_thread_gives_up_its_call(boolean isVirtual) throws Exception {
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
      assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
      caller.interrupt();

      assertThat(seen.get(20, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              OutgoingFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo(Reason.CANCELLED));
      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void closing_a_response_ends_a_waiting_read() throws Exception {
    try (var server = streaming()) {
      OutgoingResponseStream stream =
          calls.outgoing().open(Calls.get(server.url("/"))).untilClosed();
      assertThat(stream.body().read()).isEqualTo('x');
      var reader = new CompletableFuture<Throwable>();
      var reading = new CountDownLatch(1);
      Thread.startVirtualThread(() -> {
        reading.countDown();
        reader.complete(catchThrowable(() -> stream.body().read()));
      });
      assertThat(reading.await(20, TimeUnit.SECONDS)).isTrue();
      stream.close();

      assertThat(reader.get(20, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              OutgoingFailure.class,
              failure -> assertThat(failure.reason()).isEqualTo(Reason.CANCELLED));
      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void the_deadline_holds_for_a_reply_that_is_read_bit_by_bit() throws Exception {
    try (var server = streaming();
        var stream = calls.outgoing().open(Calls.within(SHORT, server.url("/")))) {
      assertThat(stream.body().read()).isEqualTo('x');
      assertThatExceptionOfType(OutgoingFailure.class)
          .isThrownBy(() -> stream.body().readAllBytes())
          .satisfies(failure -> assertThat(failure.reason()).isEqualTo(Reason.TIMED_OUT));
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
      try (var stream = calls.outgoing().open(Calls.within(SHORT, server.url("/"))).untilClosed()) {
        assertThat(stream.body().readAllBytes()).hasSize(drops);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(SHORT);
    }
  }

  @Test
  void when_the_daemon_stops_calls_end_and_none_begins() throws Exception {
    try (var server = silent()) {
      var seen = new CompletableFuture<OutgoingFailure>();
      Thread.startVirtualThread(() -> seen.complete(calls.failure(server.url("/"))));
      assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
      calls.outgoing().close();

      assertThat(seen.get(20, TimeUnit.SECONDS).reason()).isEqualTo(Reason.CANCELLED);
      assertThat(calls.failure(server.url("/")).reason()).isEqualTo(Reason.CANCELLED);
      assertThat(calls.failure("http://api.example/").reason()).isEqualTo(Reason.CANCELLED);
    }
  }

  /// Reads the request and says nothing until the client has left.
  private RawServer silent() {
    return new RawServer(visit -> {
      visit.request();
      asked.countDown();
      visit.awaitEnd();
      left.countDown();
    });
  }

  /// Begins a reply and says nothing more until the client has left.
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

    assertThat(failure.reason()).as(failure.message()).isEqualTo(Reason.TIMED_OUT);
    assertThat(failure.fault().code()).isEqualTo(ErrorCode.TIMEOUT);
    assertThat(failure.message()).contains("300 ms");
  }
}
