package dev.substrat.memory;

import dev.substrat.memory.search.CaseFolding;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Store of brain entries: titled notes about an agent, written by people and by chats of other
/// programs.
public final class BrainEntries {
  private static final String REDESCRIBE =
      "update memory set label = ?, tags = ?, folded = ?, updated_at = ? where id = ?";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  BrainEntries(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A new entry.
  public record BrainEntryDraft(String title, String content, @Nullable List<String> tags) {}

  /// Changes; a missing field stays unchanged.
  public record BrainEntryChange(
      @Nullable String title, @Nullable String content, @Nullable List<String> tags) {}

  public BrainEntry create(String agent, BrainEntryDraft draft, MemoryAuthor writer) {
    return database.transact(
        tx -> create(tx, MemoryOwnerLookup.requireLiving(tx, agent), draft, writer));
  }

  private BrainEntry create(Tx tx, Agent owner, BrainEntryDraft draft, MemoryAuthor writer) {
    List<String> tags = draft.tags() == null ? List.of() : draft.tags();
    BrainEntry.require(draft.title(), draft.content(), tags);
    MemoryTable.lock(tx, owner.id());
    requireRoom(tx, owner);
    String id = MessageId.random().value();
    var fresh =
        new MemoryTable.NewRecord(
            id, MemoryKind.BRAIN, owner.id(), draft.title(), draft.content(), tags);
    if (!MemoryTable.insert(tx, fresh, writer, clock.instant())) {
      throw taken(draft.title());
    }
    return recordChange(tx, owner, BrainEntry.require(tx, owner, id), writer);
  }

  /// Changes the entry of that title, or creates it, in a transaction of the caller.
  public BrainEntry put(Tx tx, Agent owner, BrainEntryDraft draft, MemoryAuthor writer) {
    var there = BrainEntry.find(tx, owner, draft.title());
    if (there.isEmpty()) {
      return create(tx, owner, draft, writer);
    }
    var change = new BrainEntryChange(null, draft.content(), draft.tags());
    return update(tx, owner, there.get().id(), change, writer);
  }

  private static void requireRoom(Tx tx, Agent owner) {
    long kept =
        tx.number(
            """
            select count(*) as n from memory
            where agent_id = ? and kind = 'brain' and deleted_at is null
            """,
            owner.id().value());
    if (kept >= MemoryLimits.ENTRIES) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "an agent has at most " + MemoryLimits.ENTRIES + " entries",
          "delete or update existing entries");
    }
  }

  public BrainEntry update(String agent, String id, BrainEntryChange change, MemoryAuthor writer) {
    return database.transact(
        tx -> update(tx, MemoryOwnerLookup.requireLiving(tx, agent), id, change, writer));
  }

  private BrainEntry update(
      Tx tx, Agent owner, String id, BrainEntryChange change, MemoryAuthor writer) {
    MemoryTable.lock(tx, owner.id());
    BrainEntry before = BrainEntry.require(tx, owner, id);
    BrainEntry after = before.with(change);
    BrainEntry.require(after.title(), after.content(), after.tags());
    if (after.equals(before)) {
      return before;
    }
    requireFree(tx, owner, after);
    var now = clock.instant();
    // The lock keeps the version that was just read.
    MemoryTable.rewrite(tx, id, before.version(), after.content(), writer, now);
    tx.update(REDESCRIBE, after.title(), Json.text(after.tags()), after.folded(), now, id);
    return recordChange(tx, owner, BrainEntry.require(tx, owner, id), writer);
  }

  private BrainEntry recordChange(Tx tx, Agent owner, BrainEntry entry, MemoryAuthor writer) {
    events.append(
        tx,
        writer
            .event("brain_entry_written", owner)
            .with("entry", entry.id())
            .with("version", entry.version())
            .with("size", MemoryLimits.size(entry.content())));
    return entry;
  }

  private static void requireFree(Tx tx, Agent owner, BrainEntry entry) {
    boolean isTaken =
        tx.find(
                """
                select 1 from memory
                where agent_id = ? and kind = 'brain' and label = ? and id <> ?
                  and deleted_at is null
                """,
                _ -> true,
                owner.id().value(),
                entry.title(),
                entry.id())
            .isPresent();
    if (isTaken) {
      throw taken(entry.title());
    }
  }

  private static Fault taken(String title) {
    return ErrorCode.NAME_TAKEN.fault(
        "An entry titled '%s' already exists.".formatted(title),
        "update that entry, or choose another title");
  }

  public void delete(String agent, String id, MemoryAuthor writer) {
    database.transact(tx -> {
      Agent owner = MemoryOwnerLookup.requireLiving(tx, agent);
      BrainEntry.require(tx, owner, id);
      MemoryTable.delete(tx, id, clock.instant());
      events.append(tx, writer.event("brain_entry_deleted", owner).with("entry", id));
      return true;
    });
  }

  /// All entries of an agent in pages: up to `limit` after entry `after`, by id.
  public List<BrainEntry> page(String agent, String after, int limit) {
    return database.read(
        tx -> BrainEntry.page(tx, MemoryOwnerLookup.requireLiving(tx, agent), after, limit));
  }

  /// Entries that contain the text and have all the tags, newest first.
  public List<BrainEntry> query(String agent, String text, List<String> tags, int limit) {
    List<String> wanted = tags.stream().map(CaseFolding::of).toList();
    return database.read(tx ->
        BrainEntry.containing(tx, MemoryOwnerLookup.requireLiving(tx, agent), text).stream()
            .filter(entry -> entry.foldedTags().containsAll(wanted))
            .limit(limit)
            .toList());
  }
}
