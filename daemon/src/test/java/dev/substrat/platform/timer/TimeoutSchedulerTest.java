package dev.substrat.platform.timer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class TimeoutSchedulerTest {
  private static final Duration SOON = Duration.ofMillis(30);

  private final List<String> done = new CopyOnWriteArrayList<>();

  @Test
  void a_task_runs_at_its_time_and_not_before() throws InterruptedException {
    long start = System.nanoTime();
    var over = new CountDownLatch(1);

    TimeoutScheduler.schedule(SOON, "test", over::countDown);

    assertThat(over.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(SOON);
  }

  @Test
  void a_cancelled_task_does_not_run() {
    var off = new ArrayList<TimeoutScheduler>();
    for (int i = 0; i < 1_000; i++) {
      off.add(TimeoutScheduler.schedule(SOON, "off", () -> done.add("called off")));
    }
    off.forEach(TimeoutScheduler::cancel);

    TimeoutScheduler.schedule(SOON, "on", () -> done.add("not called off"));

    Await.until(() -> !done.isEmpty());
    assertThat(done).containsExactly("not called off");
  }

  @Test
  void a_failing_or_slow_task_does_not_delay_others() throws InterruptedException {
    var stuck = new CountDownLatch(1);
    TimeoutScheduler.schedule(SOON, "stuck", () -> await(stuck));
    TimeoutScheduler.schedule(
        SOON,
        "broken",
        () -> {
          throw new IllegalStateException("on purpose");
        });
    var over = new CountDownLatch(1);

    TimeoutScheduler.schedule(SOON.plus(SOON), "other", over::countDown);

    assertThat(over.await(120, TimeUnit.SECONDS)).isTrue();
    stuck.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
