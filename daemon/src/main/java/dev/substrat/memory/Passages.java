package dev.substrat.memory;

import dev.substrat.event.EventLog;
import dev.substrat.fault.Fault;
import dev.substrat.id.MessageId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.search.Passage;
import dev.substrat.search.PassageQuery;
import dev.substrat.search.PassageSearch;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import dev.substrat.tool.Call;
import dev.substrat.tool.Fence;
import dev.substrat.tool.Repeats;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/// What agents put away to find it again. A passage is its owner's, and never changes.
public final class Passages {
  private static final String STORE = "store_memory";

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

  /// What is to be kept, and what it is about.
  public record Text(String content, List<String> tags) {

    /// Checked before anything is stored.
    public Text {
      Bounds.requireText("/content", content);
      Bounds.requireRoom("a passage", content, Bounds.PASSAGE, "or store it in several");
      Bounds.requireTags(tags);
    }
  }

  /// Its id; a repeated call gets the one it was given.
  String store(Call call, Text text) {
    return database.transact(tx -> {
      Fence.require(tx, call.caller());
      String id = Repeats.id(call);
      if (Repeats.isFirst(tx, call, STORE, clock.instant())) {
        store(tx, call.caller().agent(), id, text, Writer.of(call));
      }
      return id;
    });
  }

  /// By somebody who looks after the agent.
  public Passage add(String agent, Text text, Writer writer) {
    return database.transact(
        tx -> store(tx, Tree.require(tx, agent), MessageId.random().value(), text, writer));
  }

  private Passage store(Tx tx, Agent owner, String id, Text text, Writer writer) {
    // As the database keeps it.
    Instant now = Instant.ofEpochMilli(clock.millis());
    var fresh = new Records.Fresh(id, Kind.PASSAGE, owner.id(), null, text.content(), text.tags());
    var passage = new Passage(id, text.content(), text.tags(), now);
    Records.insert(tx, fresh, writer, now);
    search.stored(tx, owner.id(), passage);
    events.append(
        tx,
        writer
            .event("passage_stored", owner)
            .with("passage", id)
            .with("size", Bounds.size(text.content())));
    return passage;
  }

  /// Nothing of it stays.
  public void delete(String agent, String id, Writer writer) {
    database.transact(tx -> {
      Agent owner = Tree.require(tx, agent);
      search.deleting(tx, owner.id(), id);
      int deleted =
          tx.update(
              "delete from memory where id = ? and agent_id = ? and kind = 'passage'",
              id,
              owner.id().value());
      if (deleted == 0) {
        throw new Fault(
            ErrorCode.NOT_FOUND,
            "%s has no passage %s".formatted(owner.handle(), id),
            "GET /api/agents/{id}/passages lists those there are");
      }
      events.append(tx, writer.event("passage_deleted", owner).with("passage", id));
      return true;
    });
  }

  /// The best first.
  List<Passage> find(PassageQuery query) {
    return search.find(query);
  }

  /// Also of agents that have ended, for the record.
  public List<Passage> find(String agent, String text, List<String> tags, int limit) {
    var owner = database.read(tx -> Keeper.ever(tx, agent));
    return find(new PassageQuery(owner, text, tags, limit));
  }
}
