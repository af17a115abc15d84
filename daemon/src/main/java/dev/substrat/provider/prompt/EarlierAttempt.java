package dev.substrat.provider.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An unfinished earlier turn for the same events: why it ended, and which calls it made.
record EarlierAttempt(String reason, List<EarlierCall> calls) {
  /// Enough to recognise a call and its result.
  private static final int MAX_COUNT = 400;

  /// A tool call. It has no result if the daemon died before the result was recorded.
  record EarlierCall(String tool, JsonNode arguments, @Nullable String result) {

    /// On one line: JSON text contains no line ends.
    String line() {
      return "%s %s -> %s"
          .formatted(
              VisibleText.line(tool),
              brief(Json.text(arguments)),
              result == null
                  ? "no result was recorded; the call may or may not have been executed"
                  : brief(result));
    }

    private static String brief(String text) {
      TextExcerpt excerpt = TextExcerpt.of(text, MAX_COUNT);
      return VisibleText.line(excerpt.text())
          + (excerpt.isCut() ? "… (" + excerpt.extent() + ")" : "");
    }
  }
}
