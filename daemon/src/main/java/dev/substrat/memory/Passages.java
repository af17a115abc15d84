package dev.substrat.memory;

import dev.substrat.memory.search.Passage;
import dev.substrat.memory.search.PassageHit;
import dev.substrat.memory.search.PassageQuery;
import dev.substrat.memory.search.PassageSearch;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Store of passages: immutable texts that an agent stores to find later by search.
public final class Passages {
  private static final String STORE = "store_memory";

  private static final String OF_AGENT =
      """
      select id, content, tags, created_at from memory
      where agent_id = ? and kind = 'passage' and deleted_at is null
      """;

  /// By the index memory_content. SQLite takes the tables of a cross join in this order.
  static final String WITH_CONTENT =
      """
      select memory.id, memory.content, memory.tags, memory.created_at
      from %s cross join memory
      where memory.agent_id = ? and memory.kind = 'passage' and memory.deleted_at is null
        and length(memory.content) = length(value)
        and substr(memory.content, 1, 40) = substr(value, 1, 40)
        and memory.content = value
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;
  private final PassageSearch search;

  Passages(Database database, EventLog events, InstantSource clock, PassageSearch search) {
    this.database = database;
    this.events = events;
    this.clock = clock;
    this.search = search;
  }

  /// Content and tags of a passage.
  public record PassageDraft(String content, List<String> tags) {

    /// Checked before anything is stored.
    public PassageDraft {
      MemoryLimits.requireText("/content", content);
      MemoryLimits.requireLength(
          "a passage", content, MemoryLimits.PASSAGE, "or split it into several passages");
      MemoryLimits.requireTags(tags);
    }
  }

  /// Stores a passage and returns its id; a repeated call returns the same id.
  String store(ToolCall call, PassageDraft text) {
    return database.transact(tx -> {
      TurnFence.require(tx, call.caller());
      String id = RepeatedCalls.id(call);
      if (RepeatedCalls.isFirst(tx, call, STORE, clock.instant())) {
        store(tx, call.caller().agent(), id, text, now(), MemoryAuthor.of(call));
      }
      return id;
    });
  }

  /// Added by a person.
  public Passage add(String agent, PassageDraft text, MemoryAuthor writer) {
    return database.transact(tx -> add(tx, AgentTree.require(tx, agent), text, null, writer));
  }

  /// The same in a transaction of the caller. `createdAt` is when it was stored first, perhaps on
  /// another daemon; now if missing.
  public Passage add(
      Tx tx, Agent owner, PassageDraft text, @Nullable Instant createdAt, MemoryAuthor writer) {
    Instant time = createdAt == null ? now() : createdAt;
    return store(tx, owner, MessageId.random().value(), text, time, writer);
  }

  private Passage store(
      Tx tx, Agent owner, String id, PassageDraft text, Instant at, MemoryAuthor writer) {
    var fresh =
        new MemoryTable.NewRecord(
            id, MemoryKind.PASSAGE, owner.id(), null, text.content(), text.tags());
    var passage = new Passage(id, text.content(), text.tags(), at);
    MemoryTable.insert(tx, fresh, writer, at);
    search.stored(tx, owner.id(), passage);
    events.append(
        tx,
        writer
            .event("passage_stored", owner)
            .with("passage", id)
            .with("size", MemoryLimits.size(text.content())));
    return passage;
  }

  /// Deletes a passage permanently.
  public void delete(String agent, String id, MemoryAuthor writer) {
    database.transact(tx -> {
      Agent owner = AgentTree.require(tx, agent);
      search.deleting(tx, owner.id(), id);
      int deleted =
          tx.update(
              "delete from memory where id = ? and agent_id = ? and kind = 'passage'",
              id,
              owner.id().value());
      if (deleted == 0) {
        throw ErrorCode.NOT_FOUND.fault(
            "%s has no passage %s".formatted(owner.handle(), id),
            "list passages (GET /api/agents/{id}/passages, ./substrat memory passages AGENT)");
      }
      events.append(tx, writer.event("passage_deleted", owner).with("passage", id));
      return true;
    });
  }

  /// The best first.
  List<PassageHit> find(PassageQuery query) {
    return search.find(query);
  }

  /// All passages of an agent in pages: up to `limit` after passage `after`, by id. Also of agents
  /// that have ended.
  public List<Passage> page(String agent, String after, int limit) {
    return database.read(tx ->
        tx.list(
            OF_AGENT + " and id > ? order by id limit ?",
            Passage::from,
            MemoryOwnerLookup.requireAny(tx, agent).value(),
            after,
            limit));
  }

  /// Number of passages of an agent with each of these contents, by content and tags.
  public static Map<PassageDraft, Integer> count(
      Tx tx, AgentId agent, Collection<String> contents) {
    var counts = new HashMap<PassageDraft, Integer>();
    tx.list(
            WITH_CONTENT.formatted(tx.dialect().members()),
            Passage::from,
            Json.text(Set.copyOf(contents)),
            agent.value())
        .forEach(passage ->
            counts.merge(new PassageDraft(passage.content(), passage.tags()), 1, Integer::sum));
    return counts;
  }

  /// With the precision of the database.
  private Instant now() {
    return Instant.ofEpochMilli(clock.millis());
  }

  /// Includes terminated agents.
  public List<PassageHit> find(String agent, String text, List<String> tags, int limit) {
    var owner = database.read(tx -> MemoryOwnerLookup.requireAny(tx, agent));
    return find(new PassageQuery(owner, text, tags, limit));
  }
}
