package dev.substrat.schedule;

import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.UnclaimedEvents;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.Database;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.Agents;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Two agents with goals and plans, on an empty database with a manual clock.
final class ScheduleTeam implements AutoCloseable {
  static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");

  final TestDatabase place;
  final Database database;
  final SettableClock clock = new SettableClock(NOON);
  final EventLog events;
  final Goals goals;
  final Plans plans;
  final DuePlanDelivery due;
  final Agents agents;
  final Agent ada;
  final Agent ben;

  ScheduleTeam(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.goals = new Goals(database, events, clock);
    this.plans = new Plans(database, events, clock);
    this.due = new DuePlanDelivery(database, events, clock);
    this.agents = new Agents(database, events, clock, plans::ended);
    this.ada = agent("ada");
    this.ben = agent("ben");
  }

  private Agent agent(String name) {
    String yaml = "{name: %s, toolsets: [goals], provider: {name: external}}".formatted(name);
    return agents.create(Json.as(Yaml.own(yaml), AgentConfig.class));
  }

  /// A call of an agent's; the same key again is the same call of a retried turn.
  static ToolCall call(Agent agent, @Nullable String key) {
    return new ToolCall(ToolCaller.external(agent, RunId.random()), 0, "call", key);
  }

  /// Sets one plan from YAML, as ada.
  Plan plan(String yaml) {
    return plans.set(call(ada, null), List.of(draft(yaml))).plans().getFirst();
  }

  static Plan.PlanDraft draft(String yaml) {
    return Json.as(Yaml.own(yaml), Plan.PlanDraft.class);
  }

  static Goal.GoalDraft goal(String yaml) {
    return Json.as(Yaml.own(yaml), Goal.GoalDraft.class);
  }

  /// Inbox events of ada.
  List<InboxEvent> inbox() {
    return database.read(tx -> UnclaimedEvents.list(tx, ada.id(), clock.instant(), _ -> true));
  }

  /// As if ada had read everything.
  void emptyInbox() {
    database.transact(tx -> tx.update("delete from inbox_event"));
  }

  /// Number of events of a kind in the log, numbered or not; one query, because an event moves when
  /// it gets its number.
  long told(String kind) {
    String query =
        switch (database.dialect()) {
          case SQLITE -> "select count(*) as n from event where kind = ?";
          case POSTGRES ->
              """
              select count(*) as n from (
                select kind from event union all select kind from event_staging
              ) log where kind = ?
              """;
        };
    return database.read(tx -> tx.number(query, kind));
  }

  @Override
  public void close() throws IOException {
    events.close();
    place.close();
  }
}
