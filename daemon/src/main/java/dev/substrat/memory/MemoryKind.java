package dev.substrat.memory;

import java.util.Locale;

/// Kind of a memory record.
enum MemoryKind {
  /// Part of every prompt.
  BLOCK,
  /// Found by search.
  PASSAGE,
  /// Found by its key.
  VALUE,
  /// An entry that people and zoo clients store for the agent.
  BRAIN;

  /// Name in the database.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
