package dev.substrat.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.testkit.Requirement;
import java.time.Duration;
import javax.net.ServerSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Names whose address changes between lookups. The connection goes to the address that was
/// checked.
@Timeout(300)
final class RebindingTest {
  /// Public but unassigned: connections to it time out.
  private static final String NOWHERE = "3ffe::1";

  private final RawServer ada = at("127.0.0.1", 0, "ada");
  private final RawServer ben = at("127.0.0.2", ada.port(), "ben");
  private final TestHttpClient calls = new TestHttpClient("turning.example");
  private final String url = "http://turning.example:" + ada.port() + "/";

  private static RawServer at(String address, int port, String name) {
    return new RawServer(
        address,
        port,
        ServerSocketFactory.getDefault(),
        visit -> {
          while (true) {
            visit.request();
            visit.say(RawServer.ok(name));
          }
        });
  }

  @AfterEach
  void close() {
    calls.close();
    ada.close();
    ben.close();
  }

  @Test
  @Requirement("S3-16")
  void a_name_is_resolved_once_per_request() {
    calls.naming("turning.example", "127.0.0.1");

    assertThat(calls.read(url)).isEqualTo("ada");
    assertThat(calls.lookups()).isEqualTo(1);
    assertThat(ada.requests().getFirst()).contains("\r\nHost: turning.example:" + ada.port());
  }

  /// The name resolves to a public address for the check, and to another one right after it.
  @Test
  @Requirement("S3-16")
  void a_name_that_changes_after_the_check_is_not_followed() {
    try (var others = new TestHttpClient()) {
      others.naming("evil.example", NOWHERE).then("evil.example", "127.0.0.1");
      OutgoingFailure failure =
          others.failure(
              TestHttpClient.within(
                  Duration.ofMillis(500), "http://evil.example:" + ada.port() + "/"));

      assertThat(failure.reason()).isIn(FailureReason.REFUSED, FailureReason.TIMED_OUT);
      assertThat(others.lookups()).isEqualTo(1);
      assertThat(ada.visits()).isZero();

      assertThat(others.failure("http://evil.example/").reason()).isEqualTo(FailureReason.BLOCKED);
    }
  }

  /// A connection to where a name led once is no way to where it leads now, nor the other way
  /// round.
  @Test
  void a_pooled_connection_is_reused_only_while_the_name_resolves_to_its_address() {
    calls.naming("turning.example", "127.0.0.1");
    assertThat(calls.read(url)).isEqualTo("ada");
    calls.naming("turning.example", "127.0.0.2");
    assertThat(calls.read(url)).isEqualTo("ben");
    calls.naming("turning.example", "127.0.0.2", "127.0.0.1");
    assertThat(calls.read(url)).isEqualTo("ben");

    assertThat(ada.visits()).isEqualTo(1);
    assertThat(ben.visits()).isEqualTo(1);
  }

  @Test
  void if_one_address_refuses_the_connection_the_next_is_tried() {
    calls.naming("turning.example", "127.0.0.3", "127.0.0.2");

    assertThat(calls.read(url)).isEqualTo("ben");
  }
}
