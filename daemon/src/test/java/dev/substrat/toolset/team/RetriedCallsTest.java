package dev.substrat.toolset.team;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.store.Database;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.Requirement;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.toolset.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A retried turn repeats its calls; their effects happen once.
@OnEveryDatabase
final class RetriedCallsTest {
  private final TestDatabase place;
  private final Database database;
  private final SettableClock clock = new SettableClock(Instant.now());
  private final EventLog events;
  private final Agents agents;
  private final Agent mira;
  private final ToolCall call;

  RetriedCallsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.agents = new Agents(database, events, clock, (tx, agent) -> {});
    this.mira = agent("{name: mira}");
    agent("{name: ben, parent: mira}");
    this.call = new ToolCall(ToolCaller.external(mira, RunId.random()), 0, "call", "key");
  }

  @AfterEach
  void close() throws IOException {
    events.close();
    place.close();
  }

  @Test
  @Requirement("N1")
  void a_delivered_reminder_is_not_set_again() {
    var reminders = new Reminders(database, events, clock);
    String id = reminders.set(call, "look", Duration.ofSeconds(1)).id();
    clock.pass(Duration.ofSeconds(2));
    assertThat(reminders.fire()).isEqualTo(1);

    assertThat(reminders.set(call, "look", Duration.ofSeconds(1)).id()).isEqualTo(id);

    clock.pass(Duration.ofSeconds(2));
    assertThat(reminders.fire()).isZero();
    assertThat(database.<Long>read(tx -> Inbox.count(tx, mira.id()))).isEqualTo(1);
  }

  @Test
  void a_repeated_cancellation_of_a_reminder_succeeds() {
    var reminders = new Reminders(database, events, clock);
    String id = reminders.set(call, "look", Duration.ofSeconds(1)).id();

    reminders.cancel(call, id);
    reminders.set(call, "look", Duration.ofSeconds(1));
    reminders.cancel(call, id);

    clock.pass(Duration.ofSeconds(2));
    assertThat(reminders.fire()).isZero();
  }

  @Test
  void a_repeated_permit_and_a_repeated_termination_count_once() {
    var workspaces =
        new Workspaces(database, Sandbox.none("no programs"), clock, Path.of("target"));
    var children = new ChildAgents(database, agents, workspaces, events, clock);
    children.gate(call, "ben", true);

    children.permitTurn(call, "ben");
    children.permitTurn(call, "ben");
    assertThat(database.<Long>read(tx -> tx.number("select max(permits) as n from agent")))
        .isEqualTo(1);

    children.terminate(call, "ben");
    children.terminate(call, "ben");
    assertThat(agents.require("mira").isAlive()).isTrue();
  }

  @Test
  @Requirement("A12")
  void a_repeated_end_of_a_subscription_succeeds() {
    var subscriptions = new TurnSubscriptions(database, events, clock);
    subscriptions.add(call, "ben");

    subscriptions.remove(call, "ben");
    subscriptions.remove(call, "ben");
    subscriptions.add(call, "ben");

    assertThat(database.<Long>read(tx -> tx.number("select count(*) as n from subscription")))
        .isZero();
  }

  private Agent agent(String yaml) {
    return agents.create(Json.as(Yaml.own(yaml), AgentConfig.class));
  }
}
