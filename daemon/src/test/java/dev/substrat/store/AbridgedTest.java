package dev.substrat.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Abridged JSON of events, equal on every database.
@OnEveryDatabase
final class AbridgedTest {
  private final Database database;

  AbridgedTest(TestDatabase place) {
    this.database = place.open();
  }

  private String abridged(String json) {
    String part = database.dialect().abridged("one.payload", 40, List.of("arguments", "response"));
    return database.read(tx ->
        tx.find(
                "select " + part + " as payload from (select cast(? as text) as payload) one",
                row -> row.text("payload"),
                json)
            .orElseThrow());
  }

  @Test
  void short_payloads_are_not_abridged() {
    String json = "{\"text\": \"ahoy\", \"response\":1}";
    assertThat(abridged(json)).isEqualTo(json);
  }

  @Test
  void long_texts_are_cut_and_other_long_values_are_omitted() {
    String text = "⚓ \"" + "x".repeat(100);
    var json = Json.object().put("text", text).put("from", "ada").put("response", "y".repeat(50));

    assertThat(Json.own(abridged(Json.text(json))))
        .isEqualTo(Json.object().put("text", text.substring(0, 40)).put("from", "ada"));
  }

  @Test
  void unusual_characters_are_abridged_equally() {
    var json = Json.object().put("from", "ada").put("text", "\\u0000 \u0000 \\" + "x".repeat(60));

    assertThat(Json.own(abridged(Json.text(json))).path("text").asText()).startsWith("\\u00");
    json.remove("text");
    json.put("arguments", "\u0000".repeat(30));
    assertThat(Json.own(abridged(Json.text(json))))
        .isEqualTo(Json.object().put("from", "ada").put("text", ""));
  }
}
