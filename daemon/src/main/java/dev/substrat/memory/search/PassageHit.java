package dev.substrat.memory.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A passage in a search result, with the reason for the match. A list without a query has no
/// reasons.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PassageHit(
    String id,
    String content,
    List<String> tags,
    Instant createdAt,
    @JsonPropertyDescription(
            "words: the passage contains the words of the query. meaning: its meaning is similar.")
        @Nullable MatchReason match,
    @JsonPropertyDescription(
            "From 0 to 1. words: above 0.5 if the passage contains the whole query. meaning: cosine"
                + " similarity.")
        @Nullable Double score) {

  /// Why a passage was found.
  public enum MatchReason {
    WORDS,
    MEANING;

    @Override
    @JsonValue
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static PassageHit of(Passage passage, MatchReason match, double score) {
    double rounded = Math.round(score * 1_000) / 1_000.0;
    return new PassageHit(
        passage.id(), passage.content(), passage.tags(), passage.createdAt(), match, rounded);
  }

  /// A passage that was listed, not searched.
  public static PassageHit listed(Passage passage) {
    return new PassageHit(
        passage.id(), passage.content(), passage.tags(), passage.createdAt(), null, null);
  }
}
