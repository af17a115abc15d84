package dev.substrat.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.StorableText;
import org.junit.jupiter.api.Test;

final class NewEventTest {
  @Test
  void a_smilingfact_is_cut_between_characters() {
    for (String start : new String[] {"", "x"}) {
      String smiling = start + "\ud83d\ude00".repeat(3_000);
      String text = NewEvent.of("said").with("text", smiling).payload().path("text").asText();

      assertThat(text.length()).isBetween(3_990, 4_010);
      assertThat(StorableText.isStorable(text)).isTrue();
      assertThat(text).endsWith("\ud83d\ude00\u2026");
    }
  }
}
