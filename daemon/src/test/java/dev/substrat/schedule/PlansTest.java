package dev.substrat.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Plans are set, changed, listed and deleted by their agent and by no other.
@OnEveryDatabase
final class PlansTest {
  private static final String NEW = "{name: n, instruction: i, ";

  /// An invalid plan, and the pointer in the error.
  private static final Map<String, String> WRONG =
      Map.ofEntries(
          Map.entry(NEW + "}", "/plans/1 needs exactly one of cron, scheduledAt, runAfter"),
          Map.entry(NEW + "cron: '0 9 * * *', runAfter: 1h}", "/plans/1 needs exactly one of"),
          Map.entry(NEW + "cron: '0 9 * *'}", "/plans/1/cron is not a cron expression"),
          Map.entry(NEW + "cron: '0 0 30 2 *'}", "/plans/1/cron never matches"),
          Map.entry(
              NEW + "cron: '0 9 * * *', timezone: Mars/Base}",
              "/plans/1/timezone is not a time zone"),
          Map.entry(NEW + "runAfter: 1h, timezone: UTC}", "/plans/1/timezone is not allowed here"),
          Map.entry(NEW + "runAfter: soon}", "/plans/1/runAfter is not a duration: soon"),
          Map.entry(NEW + "runAfter: 0s}", "/plans/1/runAfter is not a duration: 0s"),
          Map.entry(NEW + "runAfter: PT-5M}", "/plans/1/runAfter is not a duration"),
          Map.entry(NEW + "runAfter: 600 weeks}", "/plans/1/runAfter is more than ten years"),
          Map.entry(NEW + "scheduledAt: tomorrow}", "/plans/1/scheduledAt is not a time with an"),
          Map.entry(
              NEW + "scheduledAt: '2026-02-01T08:00:00'}",
              "/plans/1/scheduledAt is not a time with"),
          Map.entry(
              NEW + "scheduledAt: 'tomorrow', timezone: UTC}",
              "/plans/1/scheduledAt is not a local time"),
          Map.entry(
              NEW + "scheduledAt: '2026-01-05T11:58:00Z'}",
              "/plans/1/scheduledAt is in the past; the current time is 2026-01-05T12:00:00Z"),
          Map.entry(
              NEW + "scheduledAt: '+12026-01-05T11:58:00Z'}", "/plans/1/scheduledAt is more than"),
          Map.entry("{name: n, runAfter: 1h}", "/plans/1/instruction is missing"),
          Map.entry("{instruction: i, runAfter: 1h}", "/plans/1/name is missing"),
          Map.entry("{name: ' ', instruction: i, runAfter: 1h}", "/plans/1/name must have 1 to"));

  private final ScheduleTeam keeper;

  PlansTest(TestDatabase kind) {
    this.keeper = new ScheduleTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    keeper.close();
  }

  @Test
  @Requirement({"S3-30", "S3-32"})
  void each_format_of_a_time_is_parsed() {
    assertThat(next(NEW + "runAfter: 10m}")).isEqualTo("2026-01-05T12:10:00Z");
    assertThat(next(NEW + "runAfter: 2 hours}")).isEqualTo("2026-01-05T14:00:00Z");
    assertThat(next(NEW + "runAfter: 1 week}")).isEqualTo("2026-01-12T12:00:00Z");
    assertThat(next(NEW + "runAfter: PT1H30M}")).isEqualTo("2026-01-05T13:30:00Z");
    assertThat(next(NEW + "scheduledAt: '2026-02-01T08:00:00+02:00'}"))
        .isEqualTo("2026-02-01T06:00:00Z");
    assertThat(next(NEW + "scheduledAt: '2026-02-01T08:00:00Z', timezone: Europe/Berlin}"))
        .isEqualTo("2026-02-01T08:00:00Z");
    assertThat(next(NEW + "scheduledAt: '2026-02-01T08:00', timezone: Europe/Berlin}"))
        .isEqualTo("2026-02-01T07:00:00Z");
    assertThat(next(NEW + "scheduledAt: '2026-01-05T11:59:30Z'}"))
        .as("a minute ago is now")
        .isEqualTo("2026-01-05T11:59:30Z");
    assertThat(next(NEW + "cron: '0 9 * * *'}")).isEqualTo("2026-01-06T09:00:00Z");
    assertThat(next(NEW + "cron: '0 9 * * *', timezone: America/New_York}"))
        .isEqualTo("2026-01-05T14:00:00Z");
    assertThat(keeper.plans.list("ada").plans())
        .isSortedAccordingTo((a, b) -> String.valueOf(a.nextRunAt()).compareTo("" + b.nextRunAt()))
        .hasSize(10);
  }

  private String next(String yaml) {
    return String.valueOf(keeper.plan(yaml).nextRunAt());
  }

  @Test
  @Requirement({"S3-30", "C12"})
  void mistakes_are_reported_with_their_pointer_and_nothing_is_stored() {
    WRONG.forEach((yaml, message) -> {
      var good = ScheduleTeam.draft(NEW + "runAfter: 1h}");
      var call = ScheduleTeam.call(keeper.ada, null);
      var fault =
          catchThrowableOfType(
              Fault.class, () -> keeper.plans.set(call, List.of(good, ScheduleTeam.draft(yaml))));
      assertThat(fault).as(yaml).isNotNull();
      assertThat(fault.code()).isEqualTo(ErrorCode.INVALID_ARGUMENTS);
      assertThat(fault.message()).startsWith(message);
      assertThat(fault.problem().details()).hasSize(1);
    });
    assertThat(keeper.plans.list("ada").plans()).isEmpty();
    assertThat(keeper.told("plan_set")).isZero();
  }

  @Test
  @Requirement("S3-30")
  void a_change_sets_only_the_given_fields() {
    Plan plan = keeper.plan(NEW + "cron: '0 9 * * *', timezone: Europe/Berlin}");

    Plan renamed = keeper.plan("{id: %s, name: other}".formatted(plan.id()));
    assertThat(renamed.name()).isEqualTo("other");
    assertThat(renamed.instruction()).isEqualTo("i");
    assertThat(renamed.nextRunAt()).isEqualTo("2026-01-06T08:00:00Z");

    Plan moved = keeper.plan("{id: %s, timezone: UTC}".formatted(plan.id()));
    assertThat(moved.nextRunAt()).isEqualTo("2026-01-06T09:00:00Z");

    Plan once = keeper.plan("{id: %s, runAfter: 1h}".formatted(plan.id()));
    assertThat(once.cron()).isNull();
    assertThat(once.timezone()).isNull();
    assertThat(once.scheduledAt()).isEqualTo("2026-01-05T13:00:00Z");
    assertThat(keeper.plans.list("ada").plans()).containsExactly(once);
  }

  @Test
  void renaming_a_due_plan_does_not_prevent_it_from_firing() {
    Plan plan = keeper.plan(NEW + "runAfter: 1m}");
    keeper.clock.pass(Duration.ofMinutes(5));

    keeper.plan("{id: %s, name: other}".formatted(plan.id()));

    assertThat(keeper.due.fire()).isEqualTo(1);
  }

  @Test
  @Requirement("S3-31")
  void a_deleted_plan_does_not_fire() {
    Plan plan = keeper.plan(NEW + "runAfter: 1m}");

    DeletionResult removed =
        keeper.plans.delete(ScheduleTeam.call(keeper.ada, null), List.of(plan.id(), "x"));

    assertThat(removed).isEqualTo(new DeletionResult(List.of(plan.id()), List.of("x")));
    assertThat(keeper.told("plan_deleted")).isEqualTo(1);
    keeper.clock.pass(Duration.ofHours(1));
    assertThat(keeper.due.fire()).isZero();
  }

  @Test
  @Requirement({"S3-30", "S3-31", "S3-32", "N7"})
  void a_plan_of_another_agent_is_not_found() {
    Plan plan = keeper.plan(NEW + "runAfter: 1m}");
    var ben = ScheduleTeam.call(keeper.ben, null);

    assertThat(keeper.plans.list("ben").plans()).isEmpty();
    assertThat(keeper.plans.delete(ben, List.of(plan.id())).notFound()).containsExactly(plan.id());
    var mine = ScheduleTeam.draft("{id: %s, instruction: mine}".formatted(plan.id()));
    assertThatThrownBy(() -> keeper.plans.set(ben, List.of(mine)))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("NOT_FOUND");
    assertThat(keeper.plans.list("ada").plans()).containsExactly(plan);
  }

  @Test
  @Requirement("A12")
  void a_retried_turn_sets_and_deletes_once_with_the_same_results() {
    var call = ScheduleTeam.call(keeper.ada, "key");
    var drafts = List.of(ScheduleTeam.draft(NEW + "scheduledAt: '2026-01-05T12:01:00Z'}"));
    var set = keeper.plans.set(call, drafts);
    keeper.clock.pass(Duration.ofHours(1));
    assertThat(keeper.due.fire()).isEqualTo(1);

    assertThat(keeper.plans.set(call, drafts)).as("although it is past by now").isEqualTo(set);
    assertThat(keeper.due.fire()).isZero();

    List<String> ids = List.of(set.plans().getFirst().id());
    var deleted = keeper.plans.delete(call, ids);
    assertThat(keeper.plans.delete(call, ids)).isEqualTo(deleted);
    assertThat(keeper.plans.set(call, drafts)).isEqualTo(set);
    assertThat(keeper.plans.list("ada").plans()).isEmpty();
  }

  @Test
  void the_number_of_plans_is_limited() {
    var fifty =
        IntStream.range(0, Plans.MAX_COUNT)
            .mapToObj(_ -> ScheduleTeam.draft(NEW + "runAfter: 1m}"))
            .toList();
    var call = ScheduleTeam.call(keeper.ada, null);
    keeper.plans.set(call, fifty);
    assertThatThrownBy(() -> keeper.plan(NEW + "runAfter: 1h}"))
        .isInstanceOf(Fault.class)
        .hasMessageContaining("LIMIT_REACHED");
    assertThat(keeper.plans.list("ada").plans()).hasSize(Plans.MAX_COUNT);

    keeper.clock.pass(Duration.ofHours(1));
    assertThat(keeper.due.fire()).isEqualTo(Plans.MAX_COUNT);
    Plan fresh = keeper.plan(NEW + "runAfter: 1h}");

    assertThat(keeper.plans.list("ada").plans())
        .as("of finished plans, the newest are kept")
        .hasSize(Plans.KEPT + 1)
        .startsWith(fresh);
  }
}
