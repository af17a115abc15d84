package dev.substrat.mcp.wire;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Supported revision of the protocol, oldest first.
public enum ProtocolRevision {
  R2025_03_26("2025-03-26"),
  R2025_06_18("2025-06-18"),
  R2025_11_25("2025-11-25"),
  /// The first of the modern era: requests are stateless.
  R2026_07_28("2026-07-28");

  public static final ProtocolRevision NEWEST_LEGACY = R2025_11_25;

  /// Used several times per request.
  private static final Map<String, ProtocolRevision> BY_DATE =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(ProtocolRevision::toString, one -> one));

  private final String date;

  ProtocolRevision(String date) {
    this.date = date;
  }

  public static Optional<ProtocolRevision> of(String date) {
    return Optional.ofNullable(BY_DATE.get(date));
  }

  /// All revisions, newest first.
  public static List<String> dates() {
    return Arrays.stream(values()).map(one -> one.date).toList().reversed();
  }

  public boolean isModern() {
    return compareTo(R2026_07_28) >= 0;
  }

  /// Only one revision had JSON-RPC batches.
  public boolean hasBatches() {
    return this == R2025_03_26;
  }

  @Override
  public String toString() {
    return date;
  }
}
