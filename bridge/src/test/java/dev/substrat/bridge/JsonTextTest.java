package dev.substrat.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.substrat.bridge.json.MessageField;
import dev.substrat.bridge.json.RawJsonObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Compares the scanner with Jackson.
final class JsonTextTest {
  private static final JsonMapper JACKSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  @Test
  void parts_are_found_at_any_position() {
    var json =
        parsed(
            """
            {"params":{"arguments":{"name":"no","params":{"name":"no"}},"name":"y\\u00e9\\n\\"s",
             "_meta":{"x":[{"io.modelcontextprotocol/protocolVersion":"no"}],
                      "io.modelcontextprotocol/protocolVersion":"2026-07-28"}},
             "list":[{"id":"no"}],"\\u0069d": 12e3 ,"method":"tools/call"}
            """);
    assertThat(json.text(MessageField.NAME)).isEqualTo("yé\n\"s");
    assertThat(json.raw(MessageField.ID)).isEqualTo("12e3");
    assertThat(json.text(MessageField.ID)).isNull();
    assertThat(json.text(MessageField.METHOD)).isEqualTo("tools/call");
    assertThat(json.text(MessageField.MODERN_VERSION)).isEqualTo("2026-07-28");
    assertThat(json.has(MessageField.URI)).isFalse();
  }

  @Test
  void only_complete_objects_are_accepted() {
    for (String text :
        new String[] {
          "",
          "[]",
          "1",
          "null",
          "{",
          "{}{}",
          "{} x",
          "{\"a\":01}",
          "{\"a\":1.}",
          "{\"a\":+1}",
          "{\"a\":.5}",
          "{\"a\":1e}",
          "{'a':1}",
          "{\"a\":\"\t\"}",
          "{\"a\":\"\\x\"}",
          "{\"a\":tru}",
          "{\"a\":\"\\u12g4\"}",
          "{\"a\" 1}",
          "{\"a\":1,}",
          "{,}",
          "{\"a\":[1,]}",
          "{\"a\":NaN}",
          "\ufeff{}",
          "{\"a\":-}",
          "{a:1}"
        }) {
      assertThat(RawJsonObject.parse(text.getBytes(StandardCharsets.UTF_8))).as(text).isEmpty();
    }
  }

  @Test
  void the_depth_is_limited() {
    assertThat(RawJsonObject.parse(nested(990))).isPresent();
    assertThat(RawJsonObject.parse(nested(1100))).isEmpty();
    assertThat(RawJsonObject.parse(nested(1_000_000))).isEmpty();
  }

  private static byte[] nested(int depth) {
    return ("{\"a\":" + "[".repeat(depth) + "]".repeat(depth) + "}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void quoted_text_is_decoded_unchanged() throws IOException {
    String odd = "a\"b\\c\n\r\t\u0001\u007f\u2028é世\ud83d\ude00\ud800";
    assertThat(JACKSON.readTree(RawJsonObject.quoted(odd)).asText()).isEqualTo(odd);
  }

  @Test
  void the_scanner_agrees_with_jackson_on_damaged_messages() {
    int times = Boolean.getBoolean("substrat.full") ? 1_000_000 : 50_000;
    var damage = new DamagedLines(new SplittableRandom(42));
    int good = 0;
    for (int i = 0; i < times; i++) {
      byte[] line = damage.line();
      Optional<RawJsonObject> ours = RawJsonObject.parse(line);
      Optional<JsonNode> theirs = jackson(line);
      String shown = new String(line, StandardCharsets.ISO_8859_1);
      assertThat(ours.isPresent()).as(shown).isEqualTo(theirs.isPresent());
      if (ours.isPresent()) {
        good++;
        JsonNode method = theirs.orElseThrow().path("method");
        assertThat(ours.get().text(MessageField.METHOD))
            .as(shown)
            .isEqualTo(method.isTextual() ? method.asText() : null);
        JsonNode name = theirs.orElseThrow().path("params").path("name");
        if (name.isTextual()) {
          assertThat(ours.get().text(MessageField.NAME)).as(shown).isEqualTo(name.asText());
        }
      }
    }
    assertThat(good).isBetween(times / 100, times - times / 100);
  }

  private static Optional<JsonNode> jackson(byte[] line) {
    try {
      // Decoded first, because Jackson accepts some invalid UTF-8.
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      JsonNode json = JACKSON.readTree(text);
      return json.isObject() ? Optional.of(json) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  private static RawJsonObject parsed(String text) {
    return RawJsonObject.parse(text.getBytes(StandardCharsets.UTF_8)).orElseThrow();
  }
}
