package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/// Prints spaces and their messages.
final class SpacePrinter {
  private SpacePrinter() {}

  static void list(JsonNode spaces, Terminal screen) {
    var table = TextTable.of("ID", "KIND", "MEMBERS", "UNREAD", "MESSAGES", "WAKES", "TOPIC");
    for (JsonNode space : spaces) {
      table.row(space, "id", "kind", "memberCount", "unread", "lastSeq", "wakePolicy", "topic");
    }
    table.print(screen);
  }

  static void printSpace(JsonNode space, Terminal screen) {
    long held = space.path("held").asLong();
    new KeyValueTable()
        .with("space", space.path("id"))
        .with("name", space.path("name"))
        .with("kind", space.path("kind"))
        .with("topic", space.path("topic"))
        .with("wakes", space.path("wakePolicy"))
        .with("depth", space.path("maxChainDepth"))
        .with("messages", space.path("lastSeq"))
        .with("unread", space.path("unread"))
        .with("typing", JsonTree.words(space.path("typing")))
        .with("held", held == 0 ? "" : held + ": " + space.path("heldReason").asText())
        .with("created", RelativeTime.time(space.path("createdAt")))
        .print(screen);
    members(space.path("members"), screen);
  }

  static void members(JsonNode members, Terminal screen) {
    var table = TextTable.of("MEMBER", "KIND", "NAME", "JOINED", "READ UP TO");
    for (JsonNode member : members) {
      table.row(member, "handle", "kind", "name", "joinedAt", "lastReadSeq");
    }
    table.print(screen);
  }

  /// Prints a page of messages, then the turns that finished without posting.
  static void messages(JsonNode page, Terminal screen) {
    JsonNode messages = page.path("messages");
    var table = TextTable.of("SEQ", "AT", "AUTHOR", "", "TEXT");
    Map<String, String> numbers = new HashMap<>();
    messages.forEach(one -> numbers.put(one.path("id").asText(), one.path("seq").asText()));
    for (JsonNode message : messages) {
      table.wholeRow(
          message.path("seq").asText(),
          RelativeTime.time(message.path("createdAt")),
          message.path("author").asText(),
          marks(message, numbers),
          message.path("text").asText());
      for (JsonNode kept : page.path("finishedWithoutPosting")) {
        if (kept.path("afterSeq").asLong() == message.path("seq").asLong()) {
          table.wholeRow(
              "",
              RelativeTime.time(kept.path("endedAt")),
              kept.path("agent").asText(),
              "",
              "(finished without posting) " + kept.path("text").asText());
        }
      }
    }
    table.printWhole(screen);
  }

  /// Reply reference and reactions: `↩12 👍2 🚢`. The number of a message that is not on the page
  /// is unknown.
  private static String marks(JsonNode message, Map<String, String> numbers) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    message
        .path("reactions")
        .forEach(reaction -> counts.merge(reaction.path("emoji").asText(), 1, Integer::sum));
    String reactions =
        counts.entrySet().stream()
            .map(entry -> entry.getKey() + (entry.getValue() == 1 ? "" : entry.getValue()))
            .collect(Collectors.joining(" "));
    String parent = message.path("parentId").asText("");
    String reply = message.hasNonNull("parentId") ? "↩" + numbers.getOrDefault(parent, "") : "";
    return (reply + " " + reactions).strip();
  }
}
