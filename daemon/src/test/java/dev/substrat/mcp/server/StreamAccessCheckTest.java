package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// How long a client may keep its open stream.
final class StreamAccessCheckTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Deque<Runnable> looks = new ArrayDeque<>();
  private boolean isAdmitted = true;

  private final StreamAccessCheck admission =
      new StreamAccessCheck(
          () -> {
            looks.pop().run();
            return isAdmitted;
          },
          nanos::get);

  @Test
  void it_is_looked_at_from_time_to_time() {
    looks.add(() -> isAdmitted = false);
    assertThat(admission.holds()).as("it was just looked at").isTrue();
    nanos.addAndGet(StreamAccessCheck.EVERY.toNanos());
    assertThat(admission.holds()).isFalse();
  }

  @Test
  void a_database_that_is_away_ends_nothing_and_is_asked_again_at_once() {
    looks.addAll(
        List.of(
            () -> {
              throw new IllegalStateException("the database is away");
            },
            () -> isAdmitted = false));
    nanos.addAndGet(StreamAccessCheck.EVERY.toNanos());

    assertThat(admission.holds()).isTrue();
    assertThat(admission.holds()).isFalse();
  }
}
