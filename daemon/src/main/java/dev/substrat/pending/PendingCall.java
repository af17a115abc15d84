package dev.substrat.pending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A call whose answer comes later. `owner` is whose it is: nobody else sees it or answers in its
/// place. `questions` are what its owner must answer before it can go on, `answers` what they have
/// said so far.
public record PendingCall(
    String id,
    String owner,
    @Nullable String run,
    String tool,
    ObjectNode arguments,
    Status status,
    ObjectNode questions,
    ObjectNode answers,
    @Nullable ObjectNode result,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant expiresAt) {

  /// Where it stands. `COMPLETED` has a result, also one that says what went wrong; `FAILED` has
  /// none but the reason.
  public enum Status {
    PENDING,
    ASKING,
    COMPLETED,
    FAILED,
    CANCELLED,
    EXPIRED;

    public boolean isOver() {
      return this != PENDING && this != ASKING;
    }

    static Status of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
