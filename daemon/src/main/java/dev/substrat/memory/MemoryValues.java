package dev.substrat.memory;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/// Store of small facts that an agent keeps under its own keys.
public final class MemoryValues {
  private static final String SET = "set_memories";
  private static final String DELETE = "delete_memories";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  MemoryValues(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A value, and the time of its last change.
  public record StoredValue(String id, String key, String value, long version, Instant updatedAt) {}

  /// A value as an agent writes it.
  public record KeyValuePair(
      @JsonPropertyDescription("Key, unique among your values.") String key,
      @JsonPropertyDescription("Text to store.") String value) {}

  /// All values of an agent, by key.
  public static List<StoredValue> all(Tx tx, AgentId agent) {
    return tx
        .list(
            """
            select id, label, content, version, updated_at from memory
            where agent_id = ? and kind = 'value' and deleted_at is null
            """,
            row ->
                new StoredValue(
                    row.text("id"),
                    row.text("label"),
                    row.text("content"),
                    row.number("version"),
                    row.instant("updated_at")),
            agent.value())
        .stream()
        // Sorted here: the databases disagree on collation.
        .sorted(Comparator.comparing(StoredValue::key))
        .toList();
  }

  List<StoredValue> all(AgentId agent) {
    return database.read(tx -> all(tx, agent));
  }

  /// Includes terminated agents.
  public List<StoredValue> all(String agent) {
    return database.read(tx -> all(tx, MemoryOwnerLookup.requireAny(tx, agent)));
  }

  /// All of them or none.
  void set(ToolCall call, List<KeyValuePair> facts) {
    if (facts.size() > MemoryLimits.VALUES_AT_ONCE) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "/memories has %d values, the maximum is %d"
              .formatted(facts.size(), MemoryLimits.VALUES_AT_ONCE),
          "use several calls");
    }
    for (int i = 0; i < facts.size(); i++) {
      require("/memories/%d/key".formatted(i), facts.get(i));
    }
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      if (RepeatedCalls.isFirst(tx, call, SET, clock.instant())) {
        set(tx, call.caller().agent(), facts, MemoryAuthor.of(call));
      }
      return true;
    });
  }

  /// Set by a person, in a transaction of the caller.
  public void put(Tx tx, Agent agent, KeyValuePair fact, MemoryAuthor writer) {
    require("/key", fact);
    set(tx, agent, List.of(fact), writer);
  }

  private static void require(String pointer, KeyValuePair fact) {
    MemoryLimits.requireLabel(pointer, fact.key());
    MemoryLimits.requireLength(
        "a memory", fact.value(), MemoryLimits.VALUE, "or store it as a passage");
  }

  private void set(Tx tx, Agent agent, List<KeyValuePair> facts, MemoryAuthor writer) {
    // A person may write at the same time.
    MemoryTable.lock(tx, agent.id());
    List<String> changed =
        facts.stream()
            .filter(fact -> set(tx, agent.id(), fact, writer))
            .map(KeyValuePair::key)
            .toList();
    requireRoom(tx, agent.id());
    recordChange(tx, agent, writer, "values_set", changed);
  }

  /// True if the value has changed.
  private boolean set(Tx tx, AgentId self, KeyValuePair fact, MemoryAuthor writer) {
    var there = all(tx, self).stream().filter(has(fact.key())).findFirst();
    var now = clock.instant();
    if (there.isEmpty()) {
      String id = MessageId.random().value();
      var fresh =
          new MemoryTable.NewRecord(
              id, MemoryKind.VALUE, self, fact.key(), fact.value(), List.of());
      return MemoryTable.insert(tx, fresh, writer, now);
    }
    StoredValue before = there.get();
    // The lock keeps the version that was just read.
    return !before.value().equals(fact.value())
        && MemoryTable.rewrite(tx, before.id(), before.version(), fact.value(), writer, now);
  }

  private static void requireRoom(Tx tx, AgentId agent) {
    int size = all(tx, agent).size();
    if (size > MemoryLimits.VALUES) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "you would have %d values, the maximum is %d".formatted(size, MemoryLimits.VALUES),
          "nothing was changed; delete values with delete_memories first");
    }
  }

  /// All of them or none.
  void delete(ToolCall call, List<String> keys) {
    database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      if (RepeatedCalls.isFirst(tx, call, DELETE, clock.instant())) {
        delete(tx, call.caller().agent(), keys, MemoryAuthor.of(call));
      }
      return true;
    });
  }

  /// Deleted by a person.
  public void delete(String agent, String key, MemoryAuthor writer) {
    database.transact(tx -> {
      delete(tx, AgentTree.require(tx, agent), List.of(key), writer);
      return true;
    });
  }

  private void delete(Tx tx, Agent agent, List<String> keys, MemoryAuthor writer) {
    MemoryTable.lock(tx, agent.id());
    List<StoredValue> there = all(tx, agent.id());
    requireKnown(keys, there);
    there.stream()
        .filter(value -> keys.contains(value.key()))
        .forEach(value -> MemoryTable.delete(tx, value.id(), clock.instant()));
    recordChange(tx, agent, writer, "values_deleted", keys);
  }

  private static void requireKnown(List<String> keys, List<StoredValue> there) {
    List<String> unknown = keys.stream().filter(key -> there.stream().noneMatch(has(key))).toList();
    if (!unknown.isEmpty()) {
      throw ErrorCode.NOT_FOUND.fault(
          "value not found: " + String.join(", ", unknown),
          "nothing was deleted; list your values with get_memories");
    }
  }

  private static Predicate<StoredValue> has(String key) {
    return value -> value.key().equals(key);
  }

  private void recordChange(
      Tx tx, Agent agent, MemoryAuthor writer, String kind, List<String> keys) {
    if (!keys.isEmpty()) {
      events.append(tx, writer.event(kind, agent).with("keys", keys));
    }
  }
}
