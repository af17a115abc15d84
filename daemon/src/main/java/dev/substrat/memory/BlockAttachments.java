package dev.substrat.memory;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Attaches memory blocks to agents. A label is unique per agent, among its own and shared blocks.
final class BlockAttachments {
  private BlockAttachments() {}

  /// A request to create or change a block; missing fields stay or get their defaults.
  record AttachRequest(
      String content,
      @Nullable String description,
      @Nullable Integer limit,
      @Nullable Boolean readOnly) {

    static AttachRequest of(String content) {
      return new AttachRequest(content, null, null, null);
    }

    /// Checked before anything is stored.
    int room(int before) {
      int maximum = limit == null ? before : limit;
      MemoryLimits.requireLimit(maximum);
      MemoryLimits.requireLength(
          "the block", content, maximum, "or store the rest with store_memory");
      return maximum;
    }
  }

  /// Creates a block that is not attached to an agent yet; without an owner it can be shared.
  static String create(
      Tx tx,
      @Nullable AgentId owner,
      String label,
      AttachRequest request,
      MemoryAuthor writer,
      Instant now) {
    MemoryLimits.requireLabel("/label", label);
    int maximum = request.room(MemoryLimits.BLOCK);
    String id = MessageId.random().value();
    var fresh =
        new MemoryTable.NewRecord(id, MemoryKind.BLOCK, owner, label, request.content(), List.of());
    if (!MemoryTable.insert(tx, fresh, writer, now)) {
      throw taken(label);
    }
    describe(tx, id, maximum, request);
    return id;
  }

  /// Stores the settings of a block, without its content.
  static void describe(Tx tx, String id, int maximum, AttachRequest request) {
    tx.update(
        """
        update memory set max_chars = ?, description = coalesce(?, description),
          read_only = coalesce(?, read_only)
        where id = ?
        """,
        maximum,
        request.description(),
        request.readOnly(),
        id);
  }

  /// `seen` is the version the agent knows; 0 if it has not been shown any.
  static void put(Tx tx, AgentId agent, BlockAttachment place, long seen) {
    requirePlace(tx, agent);
    int placed =
        tx.update(
            """
            insert into memory_share (agent_id, label, memory_id, may_write, seen)
            values (?, ?, ?, ?, ?)
            on conflict do nothing
            """,
            agent.value(),
            place.label(),
            place.block(),
            place.mayWrite(),
            seen);
    if (placed == 0) {
      throw taken(place.label());
    }
  }

  static boolean detach(Tx tx, AgentId agent, String block) {
    return tx.update(
            "delete from memory_share where agent_id = ? and memory_id = ?", agent.value(), block)
        == 1;
  }

  /// A block, its label, and whether the agent may write it.
  record BlockAttachment(String block, String label, boolean mayWrite) {}

  private static void requirePlace(Tx tx, AgentId agent) {
    long blocks =
        tx.number("select count(*) as n from memory_share where agent_id = ?", agent.value());
    if (blocks >= MemoryLimits.BLOCKS) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "the agent already has the maximum of %d blocks".formatted(blocks),
          "write to an existing block, or store the text with store_memory");
    }
  }

  private static Fault taken(String label) {
    return ErrorCode.NAME_TAKEN.fault(
        "block \"%s\" already exists".formatted(label),
        "choose another label, or change the existing block");
  }

  /// Records that the agent has seen this version: its next write is based on it.
  static void markSeen(Tx tx, AgentId agent, String block, long version) {
    tx.update(
        "update memory_share set seen = ? where agent_id = ? and memory_id = ? and seen < ?",
        version,
        agent.value(),
        block,
        version);
  }
}
