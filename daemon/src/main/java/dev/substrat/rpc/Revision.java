package dev.substrat.rpc;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// A revision of the protocol that is spoken here, oldest first.
public enum Revision {
  R2025_03_26("2025-03-26"),
  R2025_06_18("2025-06-18"),
  R2025_11_25("2025-11-25"),
  /// The first of the modern era: every request stands for itself.
  R2026_07_28("2026-07-28");

  public static final Revision NEWEST_LEGACY = R2025_11_25;

  private final String date;

  Revision(String date) {
    this.date = date;
  }

  public static Optional<Revision> of(String date) {
    return Arrays.stream(values()).filter(one -> one.date.equals(date)).findFirst();
  }

  /// All of them, the newest first.
  public static List<String> dates() {
    return Arrays.stream(values()).map(one -> one.date).toList().reversed();
  }

  public boolean isModern() {
    return compareTo(R2026_07_28) >= 0;
  }

  /// JSON-RPC's batches were in the protocol for one revision.
  public boolean hasBatches() {
    return this == R2025_03_26;
  }

  @Override
  public String toString() {
    return date;
  }
}
