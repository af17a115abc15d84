package dev.substrat.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.memory.search.CaseFolding;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A titled note stored for an agent. The title is unique among the agent's entries.
public record BrainEntry(
    String id,
    String title,
    String content,
    List<String> tags,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  private static final String SELECT =
      """
      select id, label, content, tags, version, created_at, updated_at from memory
      where agent_id = ? and kind = 'brain' and deleted_at is null
      """;

  /// For an entry of another agent, the error is the same as for a missing one.
  static BrainEntry require(Tx tx, Agent owner, String id) {
    return tx.find(SELECT + " and id = ?", BrainEntry::from, owner.id().value(), id)
        .orElseThrow(() ->
            ErrorCode.NOT_FOUND.fault(
                "Entry with ID '%s' not found.".formatted(id),
                "list entries with agent_zoo_query_brain or GET /api/agents/{id}/brain"));
  }

  static Optional<BrainEntry> find(Tx tx, Agent owner, String title) {
    return tx.find(SELECT + " and label = ?", BrainEntry::from, owner.id().value(), title);
  }

  static List<BrainEntry> page(Tx tx, Agent owner, String after, int limit) {
    return tx.list(
        SELECT + " and id > ? order by id limit ?",
        BrainEntry::from,
        owner.id().value(),
        after,
        limit);
  }

  static List<BrainEntry> containing(Tx tx, Agent owner, String text) {
    return tx.list(
        SELECT
            + " and %s order by updated_at desc, id desc"
                .formatted(CaseFolding.contains(tx.dialect())),
        BrainEntry::from,
        owner.id().value(),
        CaseFolding.of(text));
  }

  static void require(String title, String content, List<String> tags) {
    MemoryLimits.requireLine("/title", title, MemoryLimits.TITLE);
    MemoryLimits.requireText("/content", content);
    MemoryLimits.requireLength(
        "an entry", content, MemoryLimits.ENTRY, "or split it into several entries");
    MemoryLimits.requireTags(tags);
  }

  BrainEntry with(BrainEntries.BrainEntryChange change) {
    return new BrainEntry(
        id,
        change.title() == null ? title : change.title(),
        change.content() == null ? content : change.content(),
        change.tags() == null ? tags : change.tags(),
        version,
        createdAt,
        updatedAt);
  }

  String folded() {
    return MemoryTable.NewRecord.folded(title, content, tags);
  }

  List<String> foldedTags() {
    return tags.stream().map(CaseFolding::of).toList();
  }

  private static BrainEntry from(ResultRow row) {
    return new BrainEntry(
        row.text("id"),
        row.text("label"),
        row.text("content"),
        Json.own(row.text("tags")).valueStream().map(JsonNode::asText).toList(),
        row.number("version"),
        row.instant("created_at"),
        row.instant("updated_at"));
  }
}
