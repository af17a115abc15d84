package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.console.agents.ActivityEntry;
import dev.substrat.platform.json.Json;
import dev.substrat.store.event.Event;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Sentences of the activity list.
final class FeedTest {
  @Test
  void a_call_is_reported_as_failed_or_refused() {
    assertThat(call("UPSTREAM_ERROR")).isEqualTo("ada called weather, failed: UPSTREAM_ERROR");
    assertThat(call("RATE_LIMITED")).isEqualTo("ada called weather, rejected: RATE_LIMITED");
  }

  private static String call(String code) {
    var payload =
        Json.object().put("agent", "ada").put("tool", "weather").put("ok", false).put("code", code);
    var event = new Event(1, Instant.EPOCH, "tool_called", "a1", null, null, null, payload);
    ActivityEntry told = EventSentenceWriter.all(List.of(event)).getFirst();
    return told.sentence().stream()
        .map(ActivityEntry.SentencePart::words)
        .collect(Collectors.joining());
  }
}
