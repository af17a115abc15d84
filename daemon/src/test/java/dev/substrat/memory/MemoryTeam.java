package dev.substrat.memory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.ResultRow;
import dev.substrat.store.TestDatabase;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.SettableClock;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.TurnSleep;
import dev.substrat.turn.engine.Engine;
import dev.substrat.turn.engine.EngineDependencies;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Mira, ada and ben: external agents with memory tools; the test makes each call.
final class MemoryTeam implements AutoCloseable {
  private final TestDatabase place;
  private final List<EventLog> logs = new ArrayList<>();
  private final Telemetry telemetry = Telemetry.withoutExport();
  final SettableClock clock = new SettableClock(Instant.parse("2026-03-01T12:00:00Z"));
  final Database database;
  final Engine engine;
  final MemoryFeatures memory;

  MemoryTeam(Dialect dialect) {
    this.place = TestDatabase.fresh(dialect);
    this.database = place.open();
    this.engine = engine(database);
    this.memory = engine.memory();
    agent("{name: mira, toolsets: [memory, goals], provider: {name: external}}");
    agent("{name: ada, parent: mira, toolsets: [memory, goals], provider: {name: external}}");
    agent("{name: ben, parent: mira, toolsets: [memory, goals], provider: {name: external}}");
  }

  private Engine engine(Database own) {
    var events = new EventLog(own, clock);
    logs.add(events);
    return new Engine(new EngineDependencies(own, events, telemetry, clock, TurnSleep.REAL));
  }

  /// The memory of another daemon on the same database.
  Engine another() {
    return engine(place.open());
  }

  private void agent(String yaml) {
    engine.agents().create(Json.as(Yaml.own(yaml), AgentConfig.class));
  }

  /// `arguments` in JSON with single quotes.
  JsonNode call(String agent, String tool, String arguments) {
    return call(agent, tool, arguments, null);
  }

  /// A call that a retried turn may make again under the same key.
  JsonNode call(String agent, String tool, String arguments, @Nullable String key) {
    return call(engine, agent, tool, (ObjectNode) Json.own(arguments.replace('\'', '"')), key);
  }

  /// A call that another daemon is asked for.
  static JsonNode call(
      Engine daemon, String agent, String tool, ObjectNode input, @Nullable String key) {
    var caller = daemon.externalRuns().caller(daemon.agents().require(agent));
    return daemon.pipeline().call(new ToolCall(caller, 0, "call", key), tool, input).reply().json();
  }

  /// The code of the error, or empty.
  String refusal(String agent, String tool, String arguments) {
    return call(agent, tool, arguments).path("code").asText();
  }

  String content(String agent, String label) {
    return memory.keptBlocks().show(agent, label).content();
  }

  /// All versions of a block, newest first.
  List<MemoryVersion> versions(String agent, String label) {
    return memory.keptBlocks().versions(agent, label, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /// Passages that a search finds.
  List<String> found(String agent, String query) {
    ObjectNode input = Json.object().put("query", query);
    var caller = engine.externalRuns().caller(engine.agents().require(agent));
    JsonNode reply =
        engine
            .pipeline()
            .call(new ToolCall(caller, 0, "call", null), "search_memory", input)
            .reply()
            .json();
    return reply.path("passages").findValuesAsText("content");
  }

  /// A block that these agents have before them, and may write.
  SharedBlocks.SharedBlock share(String label, String content, String... agents) {
    var readers =
        Stream.of(agents).map(agent -> new SharedBlocks.AttachedAgent(agent, true)).toList();
    var wanted = new SharedBlocks.SharedBlockUpdate(label, content, null, null, null, readers);
    return memory.sharedBlocks().create(wanted, MemoryAuthor.operator(null));
  }

  /// Marks all blocks as shown to the agent, as in a turn's prompt.
  void look(String agent) {
    var id = engine.agents().require(agent).id();
    database.transact(tx -> {
      AgentBlocks.markShown(
          tx,
          id,
          MemoryBlock.all(tx, id).stream()
              .map(block -> new AgentBlocks.VisibleBlock(block.id(), block.version()))
              .toList());
      return true;
    });
  }

  /// Payloads of all events of one kind, including those without a number yet.
  List<JsonNode> told(String kind) {
    String numbered = "select 0 as part, seq as place, payload from event where kind = ?";
    String waiting = " union all select 1, id, payload from event_staging where kind = ?";
    String order = " order by part, place";
    return database.read(tx ->
        switch (tx.dialect()) {
          case SQLITE -> tx.list(numbered + order, MemoryTeam::payload, kind);
          case POSTGRES -> tx.list(numbered + waiting + order, MemoryTeam::payload, kind, kind);
        });
  }

  private static JsonNode payload(ResultRow row) {
    return Json.own(row.text("payload"));
  }

  @Override
  public void close() throws IOException {
    logs.forEach(EventLog::close);
    telemetry.close();
    place.close();
  }
}
