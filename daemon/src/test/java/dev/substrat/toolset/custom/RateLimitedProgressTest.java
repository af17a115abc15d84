package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Rate limit of progress reports, on a manual clock: the timer finds no token, however often it
/// runs.
final class RateLimitedProgressTest {
  private static final int BURST = RateLimitedProgress.BURST;

  private final AtomicLong now = new AtomicLong(7);
  private final List<Integer> reported = new ArrayList<>();

  private void hear(ObjectNode status) {
    synchronized (reported) {
      reported.add(status.path("n").asInt());
    }
  }

  private static void report(RateLimitedProgress progress, int from, int to) {
    for (int n = from; n < to; n++) {
      progress.report(Json.object().put("n", n));
    }
  }

  @Test
  void a_burst_is_reported_and_then_fifty_per_second() {
    try (var progress = new RateLimitedProgress(this::hear, now::get)) {
      report(progress, 0, BURST);
      assertThat(reported).hasSize(BURST);
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      report(progress, BURST, BURST + 50);
      assertThat(reported).hasSize(BURST + 50);
      report(progress, BURST + 50, BURST + 60);
      assertThat(reported).hasSize(BURST + 50);
    }
    assertThat(reported).hasSize(BURST + 51).endsWith(BURST + 49, BURST + 59);
  }

  @Test
  void an_idle_call_accumulates_at_most_one_burst() {
    try (var progress = new RateLimitedProgress(this::hear, now::get)) {
      now.addAndGet(TimeUnit.HOURS.toNanos(1));
      report(progress, 0, BURST + 10);
      assertThat(reported).hasSize(BURST);
    }
  }

  @Test
  void the_last_report_is_not_repeated_at_the_end() {
    try (var progress = new RateLimitedProgress(this::hear, now::get)) {
      report(progress, 0, BURST + 5);
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
      report(progress, BURST + 5, BURST + 6);
    }
    assertThat(reported).endsWith(BURST + 5).doesNotHaveDuplicates();
  }

  @Test
  void a_failing_listener_gets_no_more_reports() {
    try (var progress =
        new RateLimitedProgress(
            status -> {
              hear(status);
              throw new IllegalStateException("gone");
            },
            now::get)) {
      report(progress, 0, BURST * 2);
    }
    assertThat(reported).containsExactly(0);
  }
}
