package dev.substrat.platform.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.substrat.protocol.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Error messages of YAML syntax errors.
final class YamlTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "- name: [ | line 1 is invalid: an unclosed [ or {",
        "a: 1;b: [1, 2;c: 3 | line 2 is invalid: missing ] or comma",
        "a: 1;b: {x: 1, y;c: 2 | line 2 is invalid: missing } or comma",
        "a: 1;b: 'x;c: 3 | line 2 is invalid: missing closing quotation mark",
        "a: b: c | line 1 is invalid: unexpected colon",
        "key: >; text;more | line 3 is invalid: missing colon",
        "- a;b: 1 | line 2 is invalid: the indentation differs",
        "a:;\tb: 1 | line 2 is invalid: tab character",
        "a: @x | line 1 is invalid: quote text that begins with @",
        "a: 1;a: 2 | line 2 is invalid: duplicate key \"a\"",
        "a: ] | line 1 is invalid: closing bracket without",
        "---;a: 1;---;words | is invalid: a line with --- starts a second document"
      })
  void a_syntax_error_has_its_line_and_a_clear_message(String text, String words) {
    assertThatExceptionOfType(Fault.class)
        .isThrownBy(() -> Yaml.parse(text.replace(";", "\n")))
        .withMessageContaining(words)
        .satisfies(fault ->
            assertThat(fault.message())
                .doesNotContain("while ", "flow", "token", "Deserialization"));
  }

  @Test
  void valid_yaml_is_read() {
    assertThat(Yaml.parse("a: [1, 2]").path("a").size()).isEqualTo(2);
  }
}
