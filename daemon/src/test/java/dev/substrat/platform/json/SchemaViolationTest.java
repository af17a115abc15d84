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
  void a_violation_names_the_expected_value(String yaml, String words) {
    assertThatThrownBy(() -> SCHEMA.require(Yaml.own(yaml))).hasMessageEndingWith(words);
  }

  @Test
  void a_string_field_accepts_text_that_looks_like_a_duration() {
    SCHEMA.require(Yaml.own("url: 10s"));
  }
}
