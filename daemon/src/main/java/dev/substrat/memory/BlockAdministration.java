package dev.substrat.memory;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Administration of an agent's memory blocks by people: list, set, delete, history, undo.
public final class BlockAdministration {
  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  BlockAdministration(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A partial update of a block; missing fields stay. `version` is the expected current version,
  /// if given.
  public record BlockChange(
      String content,
      @Nullable String description,
      @Nullable Integer limit,
      @Nullable Boolean readOnly,
      @Nullable Long version) {}

  /// Includes terminated agents.
  public List<MemoryBlock> list(String agent) {
    return database.read(tx -> MemoryBlock.all(tx, MemoryOwnerLookup.requireAny(tx, agent)));
  }

  public MemoryBlock show(String agent, String label) {
    return database.read(
        tx -> MemoryBlock.require(tx, MemoryOwnerLookup.requireAny(tx, agent), label));
  }

  /// Up to `limit` versions of a block before version `before`, newest first.
  public List<MemoryVersion> versions(String agent, String label, long before, int limit) {
    return database.read(tx -> {
      String id = MemoryBlock.require(tx, MemoryOwnerLookup.requireAny(tx, agent), label).id();
      return MemoryVersion.before(tx, id, before, limit);
    });
  }

  /// Creates the block if it does not exist.
  public MemoryBlock set(String agent, String label, BlockChange change, MemoryAuthor writer) {
    return database.transact(tx -> set(tx, AgentTree.require(tx, agent), label, change, writer));
  }

  /// The same in a transaction of the caller.
  public MemoryBlock set(
      Tx tx, Agent agent, String label, BlockChange change, MemoryAuthor writer) {
    return change(
        tx,
        agent,
        label,
        writer,
        owner -> {
          Optional<MemoryBlock> there = MemoryBlock.find(tx, owner, label);
          requireVersion(label, there, change.version());
          var request =
              new BlockAttachments.AttachRequest(
                  change.content(), change.description(), change.limit(), change.readOnly());
          if (there.isEmpty()) {
            String id = BlockAttachments.create(tx, owner, label, request, writer, clock.instant());
            BlockAttachments.put(
                tx, owner, new BlockAttachments.BlockAttachment(id, label, true), 0);
          } else {
            MemoryBlock block = there.get();
            BlockAttachments.describe(tx, block.id(), request.room(block.limit()), request);
            write(tx, block, change.content(), writer);
          }
        });
  }

  /// Restores the previous content as a new version; also of a deleted block.
  public MemoryBlock undo(String agent, String label, MemoryAuthor writer) {
    return database.transact(tx ->
        change(
            tx,
            AgentTree.require(tx, agent),
            label,
            writer,
            owner -> {
              Optional<MemoryBlock> there = MemoryBlock.find(tx, owner, label);
              if (there.isEmpty()) {
                restore(tx, owner, label);
              } else {
                String earlier = before(tx, there.get());
                MemoryLimits.requireLength(
                    "block \"%s\"".formatted(label),
                    earlier,
                    there.get().limit(),
                    "or raise its limit first");
                write(tx, there.get(), earlier, writer);
              }
            }));
  }

  private void write(Tx tx, MemoryBlock block, String content, MemoryAuthor writer) {
    if (!block.content().equals(content)
        && !MemoryTable.rewrite(
            tx, block.id(), block.version(), content, writer, clock.instant())) {
      throw ErrorCode.CONFLICT.fault(
          "block \"%s\" was changed at the same time".formatted(block.label()),
          "read the block and try again");
    }
  }

  /// Applies a change and records an event if anything changed; returns the block.
  private MemoryBlock change(
      Tx tx, Agent owner, String label, MemoryAuthor writer, Consumer<AgentId> work) {
    MemoryTable.lock(tx, owner.id());
    Optional<MemoryBlock> before = MemoryBlock.find(tx, owner.id(), label);
    work.accept(owner.id());
    MemoryBlock block = MemoryBlock.require(tx, owner.id(), label);
    if (!before.equals(Optional.of(block))) {
      events.append(
          tx,
          writer
              .event("memory_updated", owner)
              .with("label", label)
              .with("version", block.version())
              .with("size", MemoryLimits.size(block.content())));
    }
    return block;
  }

  private static void requireVersion(
      String label, Optional<MemoryBlock> there, @Nullable Long version) {
    if (version == null) {
      return;
    }
    if (there.isEmpty()) {
      throw ErrorCode.CONFLICT.fault(
          "block \"%s\" no longer exists".formatted(label), "omit the version to create it again");
    }
    if (there.get().version() != version) {
      throw there.get().versionConflict(version);
    }
  }

  private static String before(Tx tx, MemoryBlock block) {
    return MemoryVersion.content(tx, block.id(), block.version() - 1)
        .orElseThrow(() ->
            ErrorCode.CONFLICT.fault(
                "block \"%s\" has no earlier version".formatted(block.label()),
                "the block has no earlier version"));
  }

  private static void restore(Tx tx, AgentId owner, String label) {
    String id =
        tx.find(
                """
                select id from memory
                where agent_id = ? and kind = 'block' and label = ? and deleted_at is not null
                order by deleted_at desc, id desc limit 1
                """,
                row -> row.text("id"),
                owner.value(),
                label)
            .orElseThrow(() ->
                ErrorCode.NOT_FOUND.fault(
                    "block \"%s\" has never existed".formatted(label),
                    "list blocks (GET /api/agents/{id}/memory, ./substrat memory show AGENT)"));
    tx.update("update memory set deleted_at = null where id = ?", id);
    BlockAttachments.put(tx, owner, new BlockAttachments.BlockAttachment(id, label, true), 0);
  }

  /// A shared block stays attached to other agents.
  public void delete(String agent, String label, MemoryAuthor writer) {
    database.transact(tx -> {
      Agent owner = AgentTree.require(tx, agent);
      MemoryTable.lock(tx, owner.id());
      MemoryBlock block = MemoryBlock.require(tx, owner.id(), label);
      BlockAttachments.detach(tx, owner.id(), block.id());
      if (!block.shared()) {
        MemoryTable.delete(tx, block.id(), clock.instant());
      }
      events.append(
          tx,
          writer
              .event("memory_deleted", owner)
              .with("label", label)
              .with("version", block.version()));
      return true;
    });
  }
}
