package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.ModelReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Failure of a model request, and how to handle it.
public final class ModelFailure extends RuntimeException {
  private final FailureKind kind;
  private final String words;
  private final @Nullable Duration retryAfter;
  private final @Nullable ModelReply partialReply;

  /// Kind of failure.
  enum FailureKind {
    /// The key is missing or invalid, or the account has no credit.
    LOCKED_OUT,
    /// The request is invalid; a retry would fail again.
    INVALID,
    /// The model does not exist.
    NO_MODEL,
    TOO_LONG,
    RATE_LIMITED,
    /// The API is overloaded, broken or not reachable, and has not answered.
    AWAY,
    /// The response ended early; it has had costs.
    BROKEN_OFF,
    /// The model, or a filter, refused to answer.
    WITHHELD;

    boolean isRetryable() {
      return isTransient() || this == BROKEN_OFF;
    }

    /// The request is valid and has had no costs; it can be retried later.
    boolean isTransient() {
      return this == RATE_LIMITED || this == AWAY;
    }
  }

  ModelFailure(
      FailureKind kind, String words, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    this(kind, words, retryAfter, cause, null);
  }

  private ModelFailure(
      FailureKind kind,
      String words,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause,
      @Nullable ModelReply heard) {
    super(words, cause);
    this.kind = kind;
    this.words = words;
    this.retryAfter = retryAfter;
    this.partialReply = heard;
  }

  public static ModelFailure interrupted(String words) {
    return new ModelFailure(
        FailureKind.BROKEN_OFF,
        "the model stopped before its answer was complete: " + words,
        null,
        null);
  }

  public static ModelFailure withheld(String why) {
    return new ModelFailure(
        FailureKind.WITHHELD, "the model withheld its answer: " + why, null, null);
  }

  /// The same, with the part of the response that was received.
  ModelFailure after(ModelReply soFar) {
    return new ModelFailure(kind, words, retryAfter, this, soFar);
  }

  public static ModelFailure invalid(String words) {
    return new ModelFailure(FailureKind.INVALID, words, null, null);
  }

  FailureKind kind() {
    return kind;
  }

  String words() {
    return words;
  }

  /// Time to wait before a retry, if the API names one.
  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /// The received part of the response, if there is one; it has had costs.
  @Nullable ModelReply partialReply() {
    return partialReply;
  }
}
