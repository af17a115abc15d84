package dev.substrat.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A due plan fires once, whatever daemons and clocks do.
@OnEveryDatabase
@Requirement("S3-30")
final class DuePlanDeliveryTest {
  private static final String DAILY = "{name: report, instruction: write it, cron: '0 9 * * *'}";
  private static final String SOON = "{name: tide, instruction: look, runAfter: 10m}";

  private final ScheduleTeam keeper;

  DuePlanDeliveryTest(TestDatabase kind) {
    this.keeper = new ScheduleTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    keeper.close();
  }

  @Test
  void a_plan_wakes_its_agent_with_the_instruction_when_it_is_due() {
    Plan plan = keeper.plan(SOON);
    keeper.clock.pass(Duration.ofMinutes(10).minusMillis(1));
    assertThat(keeper.due.fire()).isZero();

    keeper.clock.pass(Duration.ofMillis(1));
    assertThat(keeper.due.fire()).isEqualTo(1);

    InboxEvent event = keeper.inbox().getFirst();
    assertThat(event.kind()).isEqualTo(InboxEvent.InboxEventKind.PLAN);
    assertThat(event.soft()).as("it wakes an agent that waits for a reply, too").isFalse();
    assertThat(event.payload().toString())
        .isEqualTo(
            """
            {"kind":"plan","from":"yourself","text":"look","plan_id":"%s","name":"tide",\
            "due":"2026-01-05T12:10:00Z","missed":0,"depth":0}\
            """
                .formatted(plan.id()));
    assertThat(keeper.told("plan_due")).isEqualTo(1);
    assertThat(only().status()).isEqualTo(Plan.PlanStatus.DONE);
    assertThat(only().lastRunAt()).isEqualTo(ScheduleTeam.NOON.plusSeconds(600));
    keeper.clock.pass(Duration.ofDays(1));
    assertThat(keeper.due.fire()).isZero();
  }

  @Test
  void a_plan_due_while_no_daemon_ran_fires_late_and_once() {
    keeper.plan(SOON);
    keeper.database.close();
    keeper.clock.pass(Duration.ofDays(3));
    Database reopened = keeper.place.open();
    try (var events = new EventLog(reopened, keeper.clock)) {
      var due = new DuePlanDelivery(reopened, events, keeper.clock);
      assertThat(due.fire()).isEqualTo(1);
      assertThat(due.fire()).isZero();
      String payload =
          reopened.read(tx ->
              payload(tx.list("select payload from inbox_event", row -> row.text("payload"))));
      assertThat(payload).contains("\"due\":\"2026-01-05T12:10:00Z\"", "\"missed\":0");
    }
  }

  private static String payload(List<String> all) {
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void a_cron_plan_with_missed_times_fires_once_and_continues_from_now() {
    keeper.plan(DAILY);
    keeper.clock.pass(Duration.ofDays(3));

    assertThat(keeper.due.fire()).isEqualTo(1);

    JsonNode given = keeper.inbox().getFirst().payload();
    assertThat(given.path("due").asText()).isEqualTo("2026-01-06T09:00:00Z");
    assertThat(given.path("missed").asInt()).isEqualTo(2);
    assertThat(only().nextRunAt()).isEqualTo("2026-01-09T09:00:00Z");
    assertThat(keeper.due.fire()).isZero();
  }

  @Test
  void missed_times_are_counted_up_to_a_hundred() {
    keeper.plan("{name: n, instruction: i, cron: '* * * * *'}");
    keeper.clock.pass(Duration.ofDays(365));

    keeper.due.fire();

    assertThat(keeper.inbox().getFirst().payload().path("missed").asInt()).isEqualTo(100);
    assertThat(only().nextRunAt())
        .isEqualTo(ScheduleTeam.NOON.plus(Duration.ofDays(365)).plusSeconds(60));
  }

  @Test
  void a_plan_whose_event_is_still_in_the_inbox_does_not_fire_again() {
    keeper.plan(DAILY);
    for (int day = 0; day < 3; day++) {
      keeper.clock.pass(Duration.ofDays(1));
      assertThat(keeper.due.fire()).isEqualTo(1);
    }
    assertThat(keeper.inbox()).hasSize(1);
    assertThat(keeper.told("plan_due")).isEqualTo(1);
    assertThat(keeper.told("plan_missed")).isEqualTo(2);
    keeper.emptyInbox();

    keeper.clock.pass(Duration.ofDays(1));
    keeper.due.fire();

    assertThat(keeper.inbox().getFirst().payload().path("missed").asInt()).isEqualTo(2);
    assertThat(only().runs()).isEqualTo(2);
  }

  @Test
  void a_clock_that_is_set_back_fires_no_plan_twice() {
    keeper.plan(DAILY);
    keeper.plan(SOON);
    keeper.clock.pass(Duration.ofDays(1));
    assertThat(keeper.due.fire()).isEqualTo(2);
    keeper.emptyInbox();

    keeper.clock.pass(Duration.ofDays(-1));
    assertThat(keeper.due.fire()).isZero();
    keeper.clock.pass(Duration.ofDays(1));
    assertThat(keeper.due.fire()).isZero();

    keeper.clock.pass(Duration.ofDays(1));
    assertThat(keeper.due.fire()).isEqualTo(1);
  }

  @Test
  void a_daily_plan_fires_once_per_day_across_dst_changes() {
    keeper.clock.pass(Duration.between(ScheduleTeam.NOON, Instant.parse("2026-03-27T12:00:00Z")));
    keeper.plan("{name: n, instruction: i, cron: '30 2 * * *', timezone: Europe/Berlin}");
    int came = 0;
    while (keeper.clock.instant().isBefore(Instant.parse("2026-10-30T12:00:00Z"))) {
      keeper.clock.pass(Duration.ofHours(6));
      came += keeper.due.fire();
      keeper.emptyInbox();
    }
    // From the 28th of March to the 30th of October.
    assertThat(came).isEqualTo(217);
  }

  @Test
  void two_daemons_fire_a_plan_once() throws Exception {
    for (int i = 0; i < 20; i++) {
      keeper.plan("{name: n%d, instruction: i, runAfter: 1s}".formatted(i));
    }
    keeper.clock.pass(Duration.ofSeconds(1));
    Database other =
        keeper.place.dialect() == Dialect.POSTGRES ? keeper.place.open() : keeper.database;
    try (var events = new EventLog(other, keeper.clock);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> here = keeper.due::fire;
      Callable<Integer> there = new DuePlanDelivery(other, events, keeper.clock)::fire;
      int fired = 0;
      for (var outcome : threads.invokeAll(List.of(here, there, here, there))) {
        fired += outcome.get();
      }
      assertThat(fired).isEqualTo(20);
    }
    assertThat(keeper.inbox()).hasSize(20);
  }

  @Test
  void plans_of_a_terminated_agent_do_not_fire() {
    keeper.plan(DAILY);
    keeper.agents.terminate("ada");
    keeper.clock.pass(Duration.ofDays(2));

    assertThat(keeper.due.fire()).isZero();
    assertThat(keeper.told("plan_due")).isZero();
  }

  /// The list of time zones comes with Java and changes.
  @Test
  void a_plan_with_an_unknown_time_zone_fires_once_and_blocks_no_other() {
    keeper.plan("{name: n, instruction: i, cron: '0 9 * * *', timezone: Europe/Berlin}");
    keeper.plan(SOON);
    keeper.database.transact(
        tx -> tx.update("update plan set timezone = 'Mars/Base' where cron is not null"));
    keeper.clock.pass(Duration.ofDays(1));

    assertThat(keeper.due.fire()).isEqualTo(2);

    assertThat(keeper.plans.list("ada").plans())
        .extracting(Plan::status)
        .containsExactlyInAnyOrder(Plan.PlanStatus.ENDED, Plan.PlanStatus.DONE);
  }

  private Plan only() {
    List<Plan> all = keeper.plans.list("ada").plans();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }
}
