package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.access.budget.Budget;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.testkit.Requirement;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Two engines whose agents share one budget, like two daemons on one PostgreSQL.
@OnEveryDatabase
final class TwoEnginesTest {
  private static final int AGENTS = 8;
  private static final int TURNS = 5;
  private static final long CAP = 2_000;

  private final TestTeam team;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final EventLog events;
  private final Engine.RunningEngine other;

  TwoEnginesTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 4);
    var database = team.another();
    this.events = new EventLog(database, team.clock);
    var engine =
        new Engine(new EngineDependencies(database, events, telemetry, team.clock, TurnSleep.REAL));
    this.other = engine.start(new Slots(Slots.SlotCaps.of(4)), "the other");
  }

  @AfterEach
  void close() throws IOException {
    other.close();
    events.close();
    telemetry.close();
    team.close();
  }

  /// Together they want four times as much as there is. Neither has slots for all.
  @Test
  @Requirement({"A6", "N6"})
  void two_engines_never_exceed_a_shared_budget() {
    team.agent("{name: lead, limits: {budgetTokens: %d}}".formatted(CAP));
    for (int i = 0; i < AGENTS; i++) {
      team.agent(
          """
          name: a%d
          parent: lead
          provider: { name: scripted, playbook: [ { do: [ { sleep: 700ms }, { use: { tokens: 199 } } ] } ] }
          """
              .formatted(i));
    }
    for (int i = 0; i < AGENTS * TURNS; i++) {
      team.messages.fromOperator(
          "a" + i % AGENTS, new Messages.PersonMessage("go " + i, false, null), null);
    }

    team.await(() -> engines() == 2);
    team.await(() -> {
      // A turn that has to wait for others waits on the clock.
      team.clock.pass(Duration.ofSeconds(3));
      return tokens().isExhausted() && atWork() == 0;
    });

    assertThat(tokens().spent()).isBetween(199L, CAP);
    assertThat(tokens().reserved()).isZero();
    assertThat(used()).isEqualTo(tokens().spent());
  }

  private Budget tokens() {
    return team.engine.budgets().of(team.agents.require("lead").id()).getFirst();
  }

  private long atWork() {
    return number("select count(*) as n from run where status = 'running'");
  }

  private long used() {
    return number("select coalesce(sum(output_tokens), 0) as n from run_step");
  }

  private long engines() {
    return number(
        "select count(distinct lease_owner) as n from agent where lease_owner is not null");
  }

  private long number(String query) {
    return team.database.read(tx -> tx.number(query));
  }
}
