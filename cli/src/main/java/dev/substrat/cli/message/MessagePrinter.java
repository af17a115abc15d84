package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import java.util.List;

/// Prints a page of messages as a table, with shortened unique ids.
record MessagePrinter(JsonNode page) {
  /// Length of the timestamp at the beginning of an id.
  private static final int SHORT_ID = 13;

  private static final int EXCERPT = 100;

  /// With `withReasons`, the last column has the reason instead of the text.
  void print(Terminal screen, boolean withReasons) {
    List<JsonNode> messages = page.path("messages").valueStream().toList();
    int length = shortLength(messages.stream().map(MessagePrinter::id).toList());
    var table =
        TextTable.of("MESSAGE", "SENT", "FROM", "TO", "STATUS", withReasons ? "REASON" : "TEXT");
    for (JsonNode message : messages) {
      table.wholeRow(
          message.has("space") ? inSpace(message) : id(message).substring(0, length),
          RelativeTime.time(message.path("at")),
          message.path("from").asText(),
          message.path("to").asText(),
          message.hasNonNull("held") ? "held" : message.path("status").asText(),
          withReasons ? reason(message) : TerminalText.cut(message.path("text").asText(), EXCERPT));
    }
    table.printWhole(screen);
    if (page.hasNonNull("next")) {
      screen.note("older messages: add --before " + page.path("next").asText());
    }
  }

  /// The reason why a message is held or dead.
  static String reason(JsonNode message) {
    return message.path(message.hasNonNull("held") ? "held" : "reason").asText("");
  }

  private static String inSpace(JsonNode message) {
    return message.path("space").asText() + "#" + message.path("seq").asText();
  }

  private static String id(JsonNode message) {
    return message.path("message_id").asText();
  }

  /// The shortest length at which the ids are unique.
  private static int shortLength(List<String> ids) {
    int whole = ids.stream().mapToInt(String::length).min().orElse(0);
    int length = Math.min(SHORT_ID, whole);
    while (length < whole && !areDistinct(ids, length)) {
      length++;
    }
    return length;
  }

  private static boolean areDistinct(List<String> ids, int length) {
    return ids.stream().map(id -> id.substring(0, length)).distinct().count() == ids.size();
  }
}
