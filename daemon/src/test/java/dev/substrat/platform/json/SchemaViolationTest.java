package dev.substrat.platform.json;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Error messages of schema violations.
final class SchemaViolationTest {
  private static final JsonSchema SCHEMA = JsonSchema.ofRecord(Wait.class);

  private record Wait(
      @JsonPropertyDescription("Milliseconds for one call.") @Nullable Long timeout,
      @Nullable Integer ttlSeconds,
      @Nullable String url) {}

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          timeout: 10s    | /timeout string found, integer expected; write milliseconds as a number without a unit
          ttlSeconds: 5 m | /ttlSeconds string found, integer expected; write a number without a unit
          timeout: soon   | /timeout string found, integer expected
          ulr: x          | /ulr is not a known key (did you mean url?)
          """)
  void a_mistake_says_what_to_write_instead(String yaml, String words) {
    assertThatThrownBy(() -> SCHEMA.require(Yaml.own(yaml))).hasMessageEndingWith(words);
  }

  @Test
  void a_text_where_a_text_is_wanted_may_look_like_a_time() {
    SCHEMA.require(Yaml.own("url: 10s"));
  }
}
