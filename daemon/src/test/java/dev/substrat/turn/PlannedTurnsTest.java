package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.schedule.Plan;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two engines on one database, like two daemons, while plans become due.
@OnEveryDatabase
@Requirement("S3-30")
final class PlannedTurnsTest {
  private static final int AGENTS = 6;

  private final TestTeam team;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final EventLog events;
  private final Engine.RunningEngine here;
  private final Engine.RunningEngine there;

  PlannedTurnsTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 2);
    var database = team.another();
    this.events = new EventLog(database, team.clock);
    this.here = team.engine.start(new Slots(Slots.SlotCaps.of(2)), "here");
    this.there =
        new Engine(new EngineDependencies(database, events, telemetry, team.clock, TurnSleep.REAL))
            .start(new Slots(Slots.SlotCaps.of(2)), "there");
  }

  @AfterEach
  void close() throws IOException {
    there.close();
    here.close();
    events.close();
    telemetry.close();
    team.close();
  }

  @Test
  void each_plan_is_one_turn_per_due_time() {
    for (int i = 0; i < AGENTS; i++) {
      team.agent("{name: a%d, toolsets: [goals]}".formatted(i));
      var daily = new Plan.PlanDraft(null, "daily", "go", "0 9 * * *", null, null, null);
      team.engine.goalsAndPlans().plans().set("a" + i, List.of(daily));
    }
    for (int day = 1; day <= 3; day++) {
      team.clock.pass(Duration.ofDays(1));
      int sofar = day * AGENTS;
      team.await(() -> given() >= sofar && waiting() == 0);
      assertThat(given()).isEqualTo(sofar);
    }
    team.await(() -> team.count("plan_due") == 3 * AGENTS);
  }

  /// How many plans have been given to turns that ended well.
  private long given() {
    return number(
        """
        select count(*) as n from run_event join run on run.id = run_event.run_id
        where run_event.kind = 'plan' and run.status = 'done'
        """);
  }

  private long waiting() {
    return number("select count(*) as n from inbox_event");
  }

  private long number(String query) {
    return team.database.read(tx -> tx.number(query));
  }
}
