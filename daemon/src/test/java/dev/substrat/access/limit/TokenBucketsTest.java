package dev.substrat.access.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class TokenBucketsTest {
  private final SettableClock clock = new SettableClock(Instant.EPOCH);
  private final TokenBuckets buckets = new TokenBuckets(clock);

  @Test
  @Requirement("S0-35")
  void an_empty_bucket_says_how_long_to_wait() {
    assertThat(buckets.take("ada", 2)).isEmpty();
    assertThat(buckets.take("ada", 2)).isEmpty();

    assertThat(buckets.take("ada", 2)).contains(Duration.ofSeconds(30));

    clock.pass(Duration.ofSeconds(30));
    assertThat(buckets.take("ada", 2)).isEmpty();
  }

  @Test
  void idle_callers_leave_no_buckets() {
    for (int agent = 0; agent < 5_000; agent++) {
      buckets.take("agent " + agent, 60);
    }
    clock.pass(Duration.ofMinutes(2));

    for (int call = 0; call < 1_000; call++) {
      buckets.take("ada", 60_000);
    }

    assertThat(buckets.size()).isEqualTo(1);
  }
}
