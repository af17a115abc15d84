package dev.substrat.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Repeated failed authentications are refused, valid tokens never.
@Timeout(300)
final class AuthThrottleTest {
  private final AtomicLong nanos = new AtomicLong();
  private final AuthThrottle throttle = new AuthThrottle(nanos::get);

  @Test
  void after_the_burst_one_failure_per_second_is_answered() {
    for (int i = 0; i < AuthThrottle.BURST; i++) {
      assertThat(throttle.fail("192.0.2.1")).isEmpty();
    }
    assertThat(throttle.fail("192.0.2.1")).isPresent();
    assertThat(throttle.fail("192.0.2.2")).as("another client").isEmpty();

    nanos.addAndGet(AuthThrottle.REFILL.toNanos());
    assertThat(throttle.fail("192.0.2.1")).isEmpty();
    assertThat(throttle.fail("192.0.2.1")).isPresent();

    nanos.addAndGet(AuthThrottle.REFILL.multipliedBy(10 * AuthThrottle.BURST).toNanos());
    for (int i = 0; i < AuthThrottle.BURST; i++) {
      assertThat(throttle.fail("192.0.2.1")).as("all is forgotten").isEmpty();
    }
    assertThat(throttle.fail("192.0.2.1")).isPresent();
  }

  @Test
  void the_throttle_stores_a_limited_number_of_addresses() {
    for (int i = 0; i < 2 * AuthThrottle.MAX_ADDRESSES; i++) {
      throttle.fail("address " + i);
    }
    assertThat(throttle.size()).isEqualTo(AuthThrottle.MAX_ADDRESSES);
  }

  @Test
  void addresses_of_one_ipv6_network_count_together() throws Exception {
    assertThat(AuthThrottle.network(InetAddress.getByName("2001:db8:1:2:3:4:5:6")))
        .isEqualTo(AuthThrottle.network(InetAddress.getByName("2001:db8:1:2::1")))
        .isNotEqualTo(AuthThrottle.network(InetAddress.getByName("2001:db8:1:3::1")));
    assertThat(AuthThrottle.network(InetAddress.getByName("192.0.2.7"))).isEqualTo("192.0.2.7");
  }

  @Test
  void wrong_tokens_and_logins_are_limited_and_right_ones_are_not() throws IOException {
    try (var place = TestDatabase.fresh(Dialect.SQLITE);
        var daemon = TestDaemon.on(place);
        TestClient guesser = daemon.as("substrat_nobody_secret");
        TestClient stranger = daemon.as("")) {
      var last = guesser.get("/api/agents");
      for (int i = 0; i < 100 * AuthThrottle.BURST && last.status() == 401; i++) {
        last = guesser.get("/api/agents");
      }
      Problems.require(last, 429, "RATE_LIMITED");
      assertThat(last.header("Retry-After")).isEqualTo("1");

      assertThat(daemon.get("/api/agents").status()).isEqualTo(200);
      String right = "{\"token\": \"" + daemon.token() + "\"}";
      assertThat(stranger.post("/login", right).status()).isEqualTo(204);
      assertThat(stranger.get("/api/agents").status()).as("no token").isEqualTo(401);

      var login = stranger.post("/login", "{\"token\": \"wrong\"}");
      for (int i = 0; i < 10 && login.status() == 401; i++) {
        login = stranger.post("/login", "{\"token\": \"wrong\"}");
      }
      Problems.require(login, 429, "RATE_LIMITED");
      var form = form(daemon, stranger);
      for (int i = 0; i < 10 && form.status() == 401; i++) {
        form = form(daemon, stranger);
      }
      assertThat(form.status()).isEqualTo(429);
    }
  }

  private static TestClient.Answer form(TestDaemon daemon, TestClient stranger) {
    return stranger.send(
        "POST",
        "/login",
        "token=wrong",
        "Content-Type",
        "application/x-www-form-urlencoded",
        "Origin",
        daemon.url());
  }
}
