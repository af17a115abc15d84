package dev.substrat.memory;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Memory blocks without an owner that are attached to several agents. All of them can read a
/// block; some may write it.
public final class SharedBlocks {
  private static final String SELECT =
      """
      select id, label, content, description, max_chars, read_only, version, updated_at
      from memory where kind = 'block' and agent_id is null and deleted_at is null
      """;

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  SharedBlocks(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A shared block and the agents it is attached to.
  public record SharedBlock(
      String id,
      String label,
      String content,
      String description,
      int limit,
      boolean readOnly,
      long version,
      Instant updatedAt,
      List<AttachedAgent> agents) {}

  /// An agent that the block is attached to.
  public record AttachedAgent(String agent, boolean mayWrite) {}

  /// A new shared block, and the agents to attach it to.
  public record SharedBlockUpdate(
      String label,
      String content,
      @Nullable String description,
      @Nullable Integer limit,
      @Nullable Boolean readOnly,
      @Nullable List<AttachedAgent> agents) {}

  public List<SharedBlock> list() {
    return database.read(tx ->
        tx.list(SELECT + " order by id", row -> row.text("id")).stream()
            .map(id -> require(tx, id))
            .toList());
  }

  public SharedBlock show(String id) {
    return database.read(tx -> require(tx, id));
  }

  public SharedBlock create(SharedBlockUpdate wanted, MemoryAuthor writer) {
    return database.transact(tx -> {
      SharedBlock block = create(tx, wanted, writer);
      Stream.ofNullable(wanted.agents())
          .flatMap(List::stream)
          .forEach(reader -> attach(tx, block, reader, writer));
      return require(tx, block.id());
    });
  }

  /// Validates `make`, except for its agents: they may have to be created first.
  public void validate(SharedBlockUpdate wanted, MemoryAuthor writer) {
    database.dryRun(tx -> create(tx, wanted, writer));
  }

  private SharedBlock create(Tx tx, SharedBlockUpdate wanted, MemoryAuthor writer) {
    var request =
        new BlockAttachments.AttachRequest(
            wanted.content(), wanted.description(), wanted.limit(), wanted.readOnly());
    String id = BlockAttachments.create(tx, null, wanted.label(), request, writer, clock.instant());
    return recordChange(tx, require(tx, id), writer);
  }

  /// Changes a block; a missing field stays unchanged.
  public SharedBlock change(
      String id, BlockAdministration.BlockChange change, MemoryAuthor writer) {
    return database.transact(tx -> {
      // Locks the row until the commit.
      tx.update("update memory set version = version where id = ?", id);
      SharedBlock before = require(tx, id);
      if (change.version() != null && change.version() != before.version()) {
        throw ErrorCode.CONFLICT.fault(
            "shared block \"%s\" is at version %d, not %d"
                .formatted(before.label(), before.version(), change.version()),
            "read the current version, then write the complete new content with that version"
                + " number");
      }
      var request =
          new BlockAttachments.AttachRequest(
              change.content(), change.description(), change.limit(), change.readOnly());
      BlockAttachments.describe(tx, id, request.room(before.limit()), request);
      if (!before.content().equals(change.content())) {
        MemoryTable.rewrite(tx, id, before.version(), change.content(), writer, clock.instant());
      }
      SharedBlock after = require(tx, id);
      return after.equals(before) ? after : recordChange(tx, after, writer);
    });
  }

  private SharedBlock recordChange(Tx tx, SharedBlock block, MemoryAuthor writer) {
    events.append(
        tx,
        NewEvent.of("memory_updated")
            .with("block", block.id())
            .with("by", writer.name())
            .with("label", block.label())
            .with("version", block.version())
            .with("size", MemoryLimits.size(block.content())));
    return block;
  }

  /// Attaches the block to an agent from its next turn on, or changes whether the agent may write
  /// it.
  public SharedBlock attach(String id, AttachedAgent reader, MemoryAuthor writer) {
    return database.transact(tx -> {
      attach(tx, require(tx, id), reader, writer);
      return require(tx, id);
    });
  }

  private void attach(Tx tx, SharedBlock block, AttachedAgent reader, MemoryAuthor writer) {
    Agent agent = AgentTree.require(tx, reader.agent());
    MemoryTable.lock(tx, agent.id());
    int changed =
        tx.update(
            "update memory_share set may_write = ? where memory_id = ? and agent_id = ?",
            reader.mayWrite(),
            block.id(),
            agent.id().value());
    if (changed == 0) {
      var place =
          new BlockAttachments.BlockAttachment(block.id(), block.label(), reader.mayWrite());
      BlockAttachments.put(tx, agent.id(), place, 0);
    }
    events.append(
        tx,
        writer
            .event("memory_shared", agent)
            .with("label", block.label())
            .with("mayWrite", reader.mayWrite()));
  }

  public SharedBlock detach(String id, String reader, MemoryAuthor writer) {
    return database.transact(tx -> {
      SharedBlock block = require(tx, id);
      Agent agent = AgentTree.require(tx, reader);
      if (!BlockAttachments.detach(tx, agent.id(), id)) {
        throw ErrorCode.NOT_FOUND.fault(
            "agent %s is not attached to block \"%s\"".formatted(agent.handle(), block.label()),
            "the block is attached to: "
                + block.agents().stream().map(AttachedAgent::agent).toList());
      }
      events.append(tx, writer.event("memory_unshared", agent).with("label", block.label()));
      return require(tx, id);
    });
  }

  private static SharedBlock require(Tx tx, String id) {
    List<AttachedAgent> readers =
        tx.list(
            """
            select agent.handle, memory_share.may_write from memory_share
            join agent on agent.id = memory_share.agent_id
            where memory_share.memory_id = ? and agent.terminated_at is null
            order by agent.id
            """,
            row -> new AttachedAgent(row.text("handle"), row.flag("may_write")),
            id);
    return tx.find(
            SELECT + " and id = ?",
            row ->
                new SharedBlock(
                    row.text("id"),
                    row.text("label"),
                    row.text("content"),
                    row.text("description"),
                    row.integer("max_chars"),
                    row.flag("read_only"),
                    row.number("version"),
                    row.instant("updated_at"),
                    readers),
            id)
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "shared block not found: " + id,
                "list shared blocks (GET /api/shared-blocks, ./substrat memory shared)"));
  }
}
