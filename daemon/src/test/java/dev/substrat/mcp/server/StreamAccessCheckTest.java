package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Periodic access check of open streams.
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
  void access_of_an_open_stream_is_checked_periodically() {
    looks.add(() -> isAdmitted = false);
    assertThat(admission.holds()).as("it was just checked").isTrue();
    nanos.addAndGet(StreamAccessCheck.EVERY.toNanos());
    assertThat(admission.holds()).isFalse();
  }

  @Test
  void an_unreachable_database_ends_no_stream_and_the_check_is_repeated() {
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
