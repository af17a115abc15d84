package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.RouteAccess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Answers that are written in more than one part.
@Timeout(300)
final class LongAnswersTest {
  private static final ClientTimeouts ENOUGH =
      new ClientTimeouts(
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(10),
          Duration.ofSeconds(1));

  /// As long as a list of tools, and shorter than a packet on the loopback interface.
  private static final String LONG = "x".repeat(40_000);

  private static final int FIRST = 40;
  private static final int LATER = 101;

  private final TestServer server =
      new TestServer(
          List.of(
              HttpRoute.read(
                  "/long", RouteAccess.PUBLIC, "", _ -> HttpReply.text("text/plain", LONG))),
          ENOUGH);

  @AfterEach
  void stop() {
    server.close();
  }

  /// A kernel that waits for a confirmation waits 40 ms. Not at first: on a new connection the
  /// other side confirms everything at once.
  @Test
  void the_last_part_of_a_response_does_not_wait_for_a_tcp_acknowledgement() throws Exception {
    var took = new ArrayList<Duration>();
    try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
      var request = HttpRequest.newBuilder(URI.create(server.url() + "/long")).build();
      for (int i = 0; i < FIRST + LATER; i++) {
        long start = System.nanoTime();
        assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo(LONG);
        took.add(Duration.ofNanos(System.nanoTime() - start));
      }
    }
    List<Duration> later = took.subList(FIRST, took.size()).stream().sorted().toList();
    // The fastest tenth: the machine may be busy.
    assertThat(later.get(LATER / 10)).isLessThan(Duration.ofMillis(35));
  }
}
