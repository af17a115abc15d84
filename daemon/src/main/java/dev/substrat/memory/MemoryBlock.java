package dev.substrat.memory;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// A text that an agent sees in every turn. `seen` is the version that the agent was shown last;
/// its next write is based on that version.
public record MemoryBlock(
    String id,
    String label,
    String content,
    String description,
    int limit,
    boolean readOnly,
    boolean shared,
    boolean mayWrite,
    long version,
    long seen,
    String author,
    Instant updatedAt) {

  private static final String SELECT =
      """
      select memory.id, memory_share.label, memory.content, memory.description, memory.max_chars,
        memory.read_only, case when memory.agent_id is null then 1 else 0 end as shared,
        memory_share.may_write, memory.version, memory_share.seen, memory_version.author,
        memory.updated_at
      from memory_share
      join memory on memory.id = memory_share.memory_id
      join memory_version on memory_version.memory_id = memory.id
        and memory_version.version = memory.version
      where memory.deleted_at is null and memory_share.agent_id = ?
      """;

  /// All blocks of an agent, by label.
  public static List<MemoryBlock> all(Tx tx, AgentId agent) {
    // Sorted here: the databases disagree on collation.
    return tx.list(SELECT, MemoryBlock::from, agent.value()).stream()
        .sorted(Comparator.comparing(MemoryBlock::label))
        .toList();
  }

  static Optional<MemoryBlock> find(Tx tx, AgentId agent, String label) {
    return tx.find(SELECT + " and memory_share.label = ?", MemoryBlock::from, agent.value(), label);
  }

  static MemoryBlock require(Tx tx, AgentId agent, String label) {
    return find(tx, agent, label)
        .orElseThrow(() -> {
          List<String> labels = all(tx, agent).stream().map(MemoryBlock::label).toList();
          return ErrorCode.NOT_FOUND.fault(
              "block \"%s\" not found".formatted(label),
              labels.isEmpty()
                  ? "the agent has no blocks"
                  : "available blocks: " + String.join(", ", labels));
        });
  }

  /// The error for a write based on another version, with the current content. The content is
  /// quoted, so that foreign text cannot be read as a part of the hint.
  Fault versionConflict(long known) {
    return ErrorCode.CONFLICT.fault(
        "block \"%s\" is at version %d, %s"
            .formatted(
                label,
                version,
                known == 0 ? "but you have not read it" : "but you sent version " + known),
        "its content is now %s; write the complete new content".formatted(Json.text(content)));
  }

  private static MemoryBlock from(ResultRow row) {
    return new MemoryBlock(
        row.text("id"),
        row.text("label"),
        row.text("content"),
        row.text("description"),
        row.integer("max_chars"),
        row.flag("read_only"),
        row.flag("shared"),
        row.flag("may_write"),
        row.number("version"),
        row.number("seen"),
        row.text("author"),
        row.instant("updated_at"));
  }
}
