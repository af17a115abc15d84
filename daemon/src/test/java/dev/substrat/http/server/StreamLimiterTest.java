package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Open event streams are limited for each principal, and overall.
@Timeout(300)
final class StreamLimiterTest {
  private final CountDownLatch end = new CountDownLatch(1);

  @Test
  void a_stream_over_the_limit_is_rejected_until_another_one_ends() {
    var streams = new ArrayList<RawClient>();
    try (var server =
        new TestServer(
            List.of(HttpRoute.read("/stream", RouteAccess.ANY_TOKEN, "", _ -> stream())),
            ClientTimeouts.DEFAULT)) {
      for (int i = 0; i < StreamLimiter.MAX_PER_CALLER; i++) {
        streams.add(open(server));
        streams.getLast().until(": open\n");
      }
      try (var refused = open(server)) {
        assertThat(refused.until("}"))
            .contains(" 429 ", "LIMIT_REACHED", "1,000 open event streams", "\"hint\":");
      }
      end.countDown();
      streams.forEach(RawClient::rest);
      try (var again = open(server)) {
        again.until(": open\n");
      }
    } finally {
      streams.forEach(RawClient::close);
    }
  }

  private HttpReply stream() {
    return new HttpReply.EventStreamReply(out -> {
      out.comment("open");
      end.await();
    });
  }

  private static RawClient open(TestServer server) {
    var client = new RawClient(server.url());
    client.send(
        "GET /stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n");
    return client;
  }

  @Test
  void all_principals_together_have_a_limit_too() throws Exception {
    var limiter = new StreamLimiter();
    var opened = new CountDownLatch(StreamLimiter.MAX_COUNT);
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < StreamLimiter.MAX_COUNT; i++) {
      String principal = "agent " + i % 10;
      limiter.requireRoom(principal);
      HttpReply.EventStreamReply stream =
          limiter.counted(
              principal,
              new HttpReply.EventStreamReply(_ -> {
                opened.countDown();
                end.await();
              }));
      threads.add(Thread.startVirtualThread(() -> write(stream)));
    }
    opened.await();

    assertThatThrownBy(() -> limiter.requireRoom("a new one"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("LIMIT_REACHED");
    end.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    limiter.requireRoom("a new one");
  }

  private static void write(HttpReply.EventStreamReply stream) {
    var out =
        new SseStream(
            OutputStream.nullOutputStream(),
            new SocketTimeouts(),
            ClientTimeouts.DEFAULT.reader(),
            () -> false);
    try {
      stream.writer().write(out);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
