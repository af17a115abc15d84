package dev.substrat.turn.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.message.Message;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.transcript.Transcript.TranscriptLine;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import dev.substrat.turn.run.Run;
import dev.substrat.turn.scheduling.Slots;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// An engine whose runs are inspected afterwards. While a script sleeps, an action of the test
/// runs, and the script continues immediately.
final class RecordedTeam implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final TestDatabase place;
  private final Telemetry telemetry = Telemetry.withoutExport();
  private final Slots slots = new Slots(Slots.SlotCaps.of(2));
  private Engine.RunningEngine turns;
  final Database database;
  final SettableClock clock = new SettableClock(Instant.now());
  final EventLog events;
  final Engine engine;
  final RunReplays replays;
  volatile Runnable meanwhile = () -> {};

  RecordedTeam(Dialect dialect) {
    this.place = TestDatabase.fresh(dialect);
    this.database = place.open();
    this.events = new EventLog(database, clock);
    this.engine =
        new Engine(new EngineDependencies(database, events, telemetry, clock, this::passMeanwhile));
    this.replays = engine.replays(slots);
    this.turns = engine.start(slots, "first");
  }

  private void passMeanwhile(Duration time) throws InterruptedException {
    if (time.compareTo(Duration.ofDays(1)) > 0) {
      Thread.sleep(time);
    }
    meanwhile.run();
  }

  /// No turn runs until [#restart].
  void stop() throws Exception {
    turns.close();
  }

  void restart() {
    turns = engine.start(slots, AgentId.random().value());
  }

  /// Creates a scripted agent with the rules of a playbook; `parent` may be empty.
  Agent agent(String name, String parent, String playbook) {
    String yaml =
        "name: %s\n%sprovider:\n  name: scripted\n  playbook:\n%s"
            .formatted(
                name, parent.isEmpty() ? "" : "parent: " + parent + "\n", playbook.indent(4));
    return agent(yaml);
  }

  Agent agent(String yaml) {
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    return engine.agents().create(engine.providers().prepare(config));
  }

  static ProviderConfig mind(String playbook) {
    return ProviderConfig.scripted("scripted", null, Yaml.own(playbook), null, null, null);
  }

  /// A message of the operator that expects no answer.
  Message tell(String agent, String text) {
    return engine
        .messages()
        .fromOperator(agent, new Messages.PersonMessage(text, false, null), null);
  }

  Message ask(String agent, String text) {
    return engine
        .messages()
        .fromOperator(agent, new Messages.PersonMessage(text, true, null), null);
  }

  /// Asks, waits until the turn is over, and returns its record.
  Run runOf(String agent, String text) {
    int before = runs(agent).size();
    ask(agent, text);
    return finished(agent, before);
  }

  /// The record of the turn that `agent` takes after `before` others.
  Run finished(String agent, int before) {
    await(() -> runs(agent).size() > before && runs(agent).get(before).endedAt() != null);
    return runs(agent).get(before);
  }

  /// All runs of an agent, oldest first.
  List<Run> runs(String agent) {
    return engine.runs().newest(engine.agents().require(agent).id(), 200).reversed();
  }

  List<TranscriptLine> lines(Run run) {
    return engine.transcript().of(new RunId(run.id()), "", 1_000);
  }

  List<TranscriptLine> lines(Run run, String type) {
    return lines(run).stream().filter(line -> line.type().equals(type)).toList();
  }

  List<RunInputEvents.RecordedEvent> given(Run run) {
    return engine.runs().given(new RunId(run.id()));
  }

  RunReplays.ReplayReport replay(Run run) {
    return replays.replay(
        new Principal.OperatorPrincipal(), run.id(), new ProviderOverride(null, null));
  }

  List<String> texts(String sender) {
    String id = engine.agents().require(sender).id().value();
    return database.read(tx ->
        tx.list("select text from message where sender = ? order by id", r -> r.text("text"), id));
  }

  /// Number of rows of each table, and the newest event: a read-only operation must not change
  /// them.
  Map<String, Long> size() {
    // On PostgreSQL events are numbered after the commit.
    await(() ->
        database.dialect() != Dialect.POSTGRES
            || database.read(tx -> tx.number("select count(*) as n from event_staging")) == 0);
    var size = new TreeMap<String, Long>();
    database.read(tx -> {
      Stream.of(
              "agent",
              "message",
              "inbox_event",
              "pending_reply",
              "run",
              "run_event",
              "run_message",
              "run_step",
              "run_config",
              "event",
              "reminder",
              "credential")
          .forEach(table -> size.put(table, tx.number("select count(*) as n from " + table)));
      return true;
    });
    size.put("newest event", events.last());
    return size;
  }

  void await(BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      long seen = events.signal().count();
      if (condition.getAsBoolean()) {
        return;
      }
      assertThat(System.nanoTime()).as("still waiting after " + LIMIT).isLessThan(end);
      try {
        events.signal().awaitMoreThan(seen, Duration.ofMillis(200));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try {
      stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    replays.close();
    events.close();
    telemetry.close();
    place.close();
  }
}
