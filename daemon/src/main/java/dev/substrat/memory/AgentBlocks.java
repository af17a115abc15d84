package dev.substrat.memory;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.execution.RepeatedCalls;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Reads and writes memory blocks on behalf of agents, with optimistic locking.
///
/// An agent does not send a version, so the store remembers the version it was last shown: in the
/// prompt of its turn, by its own last write, or by a rejected write. If the block has changed
/// since, the write is rejected and the error contains the current content. Of two agents that
/// write after reading the same version, one always gets the error.
public final class AgentBlocks {
  private static final String UPDATE = "update_memory";

  private final Database database;
  private final EventLog events;
  private final InstantSource clock;

  AgentBlocks(Database database, EventLog events, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.clock = clock;
  }

  /// A block that was completely visible in a prompt.
  public record VisibleBlock(String block, long version) {}

  /// Records the versions that the agent was shown; its next writes are based on them.
  public static void markShown(Tx tx, AgentId agent, List<VisibleBlock> blocks) {
    blocks.forEach(one -> BlockAttachments.markSeen(tx, agent, one.block(), one.version()));
  }

  /// New content of a block.
  private record BlockUpdate(String label, String content) {}

  /// Creates the block if it does not exist.
  void update(ToolCall call, String label, String content) {
    MemoryLimits.requireLabel("/label", label);
    var wanted = new BlockUpdate(label, content);
    Optional<MemoryBlock> newer =
        database.transact(tx -> {
          TurnFence.require(tx, call.caller());
          return RepeatedCalls.wasDone(tx, call, UPDATE)
              ? Optional.empty()
              : update(tx, call, wanted);
        });
    // Thrown after the commit, because the content in the error counts as seen.
    newer.ifPresent(block -> {
      throw block.versionConflict(block.seen());
    });
  }

  /// The current block, if it is not the version that the agent has seen.
  private Optional<MemoryBlock> update(Tx tx, ToolCall call, BlockUpdate wanted) {
    AgentId self = call.caller().agent().id();
    Optional<MemoryBlock> there = MemoryBlock.find(tx, self, wanted.label());
    if (there.isEmpty()) {
      make(tx, call, wanted);
    } else if (!there.get().content().equals(wanted.content())
        && !rewrite(tx, call, there.get(), wanted)) {
      MemoryBlock now = MemoryBlock.require(tx, self, wanted.label());
      BlockAttachments.markSeen(tx, self, now.id(), now.version());
      return Optional.of(now);
    }
    RepeatedCalls.isFirst(tx, call, UPDATE, clock.instant());
    return Optional.empty();
  }

  private void make(Tx tx, ToolCall call, BlockUpdate wanted) {
    AgentId self = call.caller().agent().id();
    var request = BlockAttachments.AttachRequest.of(wanted.content());
    String id =
        BlockAttachments.create(
            tx, self, wanted.label(), request, MemoryAuthor.of(call), clock.instant());
    BlockAttachments.put(
        tx, self, new BlockAttachments.BlockAttachment(id, wanted.label(), true), 1);
    recordUpdate(tx, call, wanted, 1);
  }

  /// False if the agent has not seen the version that it would overwrite.
  private boolean rewrite(Tx tx, ToolCall call, MemoryBlock block, BlockUpdate wanted) {
    requireWritable(block);
    MemoryLimits.requireLength(
        "block \"%s\"".formatted(block.label()),
        wanted.content(),
        block.limit(),
        "or store the rest with store_memory");
    long seen = block.seen();
    if (seen != block.version()
        || !MemoryTable.rewrite(
            tx, block.id(), seen, wanted.content(), MemoryAuthor.of(call), clock.instant())) {
      return false;
    }
    BlockAttachments.markSeen(tx, call.caller().agent().id(), block.id(), seen + 1);
    recordUpdate(tx, call, wanted, seen + 1);
    return true;
  }

  private static void requireWritable(MemoryBlock block) {
    if (block.readOnly() || !block.mayWrite()) {
      throw ErrorCode.FORBIDDEN.fault(
          "block \"%s\" is read-only for you".formatted(block.label()),
          "%s; write to a block of your own instead"
              .formatted(
                  block.readOnly()
                      ? "only people can write it"
                      : "only other agents can write it"));
    }
  }

  private void recordUpdate(Tx tx, ToolCall call, BlockUpdate wanted, long version) {
    events.append(
        tx,
        MemoryAuthor.of(call)
            .event("memory_updated", call.caller().agent())
            .with("label", wanted.label())
            .with("version", version)
            .with("size", MemoryLimits.size(wanted.content())));
  }
}
