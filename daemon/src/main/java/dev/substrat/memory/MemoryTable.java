package dev.substrat.memory;

import dev.substrat.memory.search.CaseFolding;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.team.AgentStateTable;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tables `memory` and `memory_version`: records of all kinds and their versions.
final class MemoryTable {
  private static final String INSERT =
      """
      insert into memory
        (id, kind, agent_id, label, content, tags, folded, created_at, updated_at)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  private static final String REWRITE =
      """
      update memory set content = ?, version = version + 1, updated_at = ?
      where id = ? and version = ? and deleted_at is null
      """;

  private static final String KEEP_VERSION =
      """
      insert into memory_version (memory_id, version, content, author, reason, at)
      values (?, ?, ?, ?, ?, ?)
      """;

  private MemoryTable() {}

  /// A new record with a new id.
  record NewRecord(
      String id,
      MemoryKind kind,
      @Nullable AgentId owner,
      @Nullable String label,
      String content,
      List<String> tags) {

    private @Nullable String folded() {
      return switch (kind) {
        // Passages have an index of their own.
        case BLOCK, VALUE, PASSAGE -> null;
        case BRAIN -> folded(String.valueOf(label), content, tags);
      };
    }

    /// Text by which an entry is found: title, content and tags.
    static String folded(String title, String content, List<String> tags) {
      return CaseFolding.of(title + "\n" + content + "\n" + String.join("\n", tags));
    }
  }

  /// False if its id or its label is in use.
  static boolean insert(Tx tx, NewRecord fresh, MemoryAuthor writer, Instant now) {
    int stored =
        tx.update(
            INSERT,
            fresh.id(),
            fresh.kind(),
            fresh.owner() == null ? null : fresh.owner().value(),
            fresh.label(),
            fresh.content(),
            Json.text(fresh.tags()),
            fresh.folded(),
            now,
            now);
    if (stored == 1 && fresh.kind() != MemoryKind.PASSAGE) {
      insertVersion(tx, fresh.id(), new VersionedText(1, fresh.content()), writer, now);
    }
    return stored == 1;
  }

  /// A content and its version.
  record VersionedText(long version, String content) {}

  /// Writes the version after `seen`; false if a concurrent writer was first.
  static boolean rewrite(
      Tx tx, String id, long seen, String content, MemoryAuthor writer, Instant now) {
    if (tx.update(REWRITE, content, now, id, seen) == 0) {
      return false;
    }
    insertVersion(tx, id, new VersionedText(seen + 1, content), writer, now);
    return true;
  }

  private static void insertVersion(
      Tx tx, String id, VersionedText text, MemoryAuthor writer, Instant now) {
    tx.update(
        KEEP_VERSION, id, text.version(), text.content(), writer.author(), writer.reason(), now);
  }

  /// Marks it as deleted; its versions stay.
  static boolean delete(Tx tx, String id, Instant now) {
    return tx.update(
            "update memory set deleted_at = ? where id = ? and deleted_at is null", now, id)
        == 1;
  }

  /// Serialises writers of one agent, so that they do not both use the last free place.
  static void lock(Tx tx, AgentId agent) {
    AgentStateTable.lock(tx, agent);
  }
}
