package dev.substrat.mcp.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HeaderTextTest {
  /// The examples of the specification.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "us-west1,us-west1",
        "us west 1,us west 1",
        "\"Hello, 世界\",=?base64?SGVsbG8sIOS4lueVjA==?=",
        "\" padded \",=?base64?IHBhZGRlZCA=?=",
        "\"line1\nline2\",=?base64?bGluZTEKbGluZTI=?=",
        "=?base64?literal?=,=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="
      })
  void text_that_is_invalid_in_a_header_is_encoded(String text, String header) {
    assertThat(HeaderText.encode(text)).isEqualTo(header);
    assertThat(HeaderText.decode(header)).contains(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"=?base64?%%%%?=", "=?base64?abc?="})
  void invalid_encoded_text_is_rejected(String header) {
    assertThat(HeaderText.decode(header)).isEmpty();
  }

  @Test
  void an_incomplete_encoding_prefix_is_plain_text() {
    assertThat(HeaderText.decode("=?base64?=")).contains("=?base64?=");
    assertThat(HeaderText.encode("")).isEmpty();
  }
}
