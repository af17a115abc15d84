package dev.substrat.llm;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A model that did not answer, and what can be done about it.
final class ModelTrouble extends RuntimeException {
  private final Kind kind;
  private final String words;
  private final @Nullable Duration retryAfter;

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
    /// The API is overloaded, broken or away, or hung up in the middle of an answer.
    AWAY;

    boolean mayPass() {
      return this == RATE_LIMITED || this == AWAY;
    }
  }

  ModelTrouble(Kind kind, String words, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(words, cause);
    this.kind = kind;
    this.words = words;
    this.retryAfter = retryAfter;
  }

  static ModelTrouble inTheMiddle(String words) {
    return new ModelTrouble(
        Kind.AWAY, "the model stopped in the middle of its answer: " + words, null, null);
  }

  static ModelTrouble invalid(String words) {
    return new ModelTrouble(Kind.INVALID, words, null, null);
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
}
