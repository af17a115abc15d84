package dev.substrat.tool.pending;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.ContentHash;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Call whose result comes later. `questions` are those that its `owner` must answer before it can
/// continue, `answers` the answers so far. `sight` is how people see it.
public record PendingCall(
    String id,
    String owner,
    @Nullable String run,
    String tool,
    ObjectNode arguments,
    PendingCallStatus status,
    ObjectNode questions,
    ObjectNode answers,
    @Nullable ObjectNode result,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant expiresAt,
    CallVisibility sight) {

  /// Whether a person or a service is asked. All other calls are executed by the daemon itself, and
  /// only it can resolve them.
  public boolean isAsked() {
    return !sight.display().isEmpty();
  }

  /// SHA-256 of the arguments, as JSON with sorted keys and no spaces. An answer includes it, so
  /// that it belongs to the arguments that were shown.
  public String argsHash() {
    return ContentHash.of(arguments);
  }

  /// Status. `COMPLETED` has a result, which may be an error; `FAILED` has only a reason.
  public enum PendingCallStatus {
    PENDING,
    ASKING,
    COMPLETED,
    FAILED,
    CANCELLED,
    EXPIRED;

    public boolean isOver() {
      return this != PENDING && this != ASKING;
    }

    /// External name of the status: pending, resolved, expired or cancelled.
    public String word() {
      return switch (this) {
        case PENDING, ASKING -> "pending";
        case COMPLETED -> "resolved";
        case EXPIRED -> "expired";
        case CANCELLED, FAILED -> "cancelled";
      };
    }

    static PendingCallStatus of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// What people see of the call: space, message, form, time shown, and who resolved it.
  public record CallVisibility(
      @Nullable String space,
      @Nullable String message,
      ObjectNode display,
      @Nullable Instant shownAt,
      @Nullable String answeredBy) {}

  /// Id of the tool call, if it was one, and the redacted keys of its result.
  public record CallOrigin(@Nullable String callId, List<String> redacted) {
    public static final CallOrigin NONE = new CallOrigin(null, List.of());

    public CallOrigin {
      redacted = List.copyOf(redacted);
    }
  }

  /// Position of the call in a chain of messages, and the subject of the turn that made it: its
  /// result belongs to that subject.
  public record ChainPosition(int depth, @Nullable String cause, @Nullable String subject) {
    public static final ChainPosition NONE = new ChainPosition(0, null, null);
  }
}
