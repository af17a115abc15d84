package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.ModelReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Failure of a model request, and how to handle it.
public final class ModelFailure extends RuntimeException {
  private final Kind kind;
  private final String words;
  private final @Nullable Duration retryAfter;
  private final @Nullable ModelReply partialReply;

  /// What kind of trouble it is.
  enum Kind {
    /// The key is missing or wrong, or nothing is left to pay with.
    LOCKED_OUT,
    /// The request will be refused again.
    INVALID,
    /// There is no such model.
    NO_MODEL,
    TOO_LONG,
    RATE_LIMITED,
    /// The API is overloaded, broken or away, and has answered nothing.
    AWAY,
    /// It stopped in the middle of an answer, which has to be paid for.
    BROKEN_OFF,
    /// The model, or a filter around it, will not say it.
    WITHHELD;

    boolean isRetryable() {
      return isTransient() || this == BROKEN_OFF;
    }

    /// Nothing is wrong with the question: it only came at the wrong time, and cost nothing.
    boolean isTransient() {
      return this == RATE_LIMITED || this == AWAY;
    }
  }

  ModelFailure(Kind kind, String words, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    this(kind, words, retryAfter, cause, null);
  }

  private ModelFailure(
      Kind kind,
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
        Kind.BROKEN_OFF, "the model stopped before its answer was complete: " + words, null, null);
  }

  public static ModelFailure withheld(String why) {
    return new ModelFailure(Kind.WITHHELD, "the model withheld its answer: " + why, null, null);
  }

  /// The same, after it had said so much.
  ModelFailure after(ModelReply soFar) {
    return new ModelFailure(kind, words, retryAfter, this, soFar);
  }

  public static ModelFailure invalid(String words) {
    return new ModelFailure(Kind.INVALID, words, null, null);
  }

  Kind kind() {
    return kind;
  }

  String words() {
    return words;
  }

  /// How long the API wants to be left alone, if it says so.
  @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /// What it had said by then, if it had begun to: that was used.
  @Nullable ModelReply partialReply() {
    return partialReply;
  }
}
