package dev.substrat.memory;

import dev.substrat.store.Tx;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// One version of a block, value or entry: content, author and reason.
public record MemoryVersion(
    long version, String content, String author, String reason, Instant at) {

  /// Up to `limit` of those before version `before`, the newest first.
  static List<MemoryVersion> before(Tx tx, String id, long before, int limit) {
    return tx.list(
        """
        select version, content, author, reason, at from memory_version
        where memory_id = ? and version < ? order by version desc limit ?
        """,
        row ->
            new MemoryVersion(
                row.number("version"),
                row.text("content"),
                row.text("author"),
                row.text("reason"),
                row.instant("at")),
        id,
        before,
        limit);
  }

  static Optional<String> content(Tx tx, String id, long version) {
    return tx.find(
        "select content from memory_version where memory_id = ? and version = ?",
        row -> row.text("content"),
        id,
        version);
  }
}
