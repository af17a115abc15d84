package dev.substrat.cli.memory;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextTable;
import java.util.Locale;
import java.util.stream.Collectors;

/// Prints blocks, values and passages.
record MemoryPrinter(Terminal screen) {

  void printAll(JsonNode kept) {
    if (kept.path("blocks").isEmpty() && kept.path("values").isEmpty()) {
      screen.line("no memory yet; write a block: ./substrat memory set AGENT LABEL TEXT");
      return;
    }
    var table = TextTable.of("LABEL", "KIND", "VERSION", "CHANGED", "CONTENT");
    for (JsonNode block : kept.path("blocks")) {
      table.row(
          block.path("label").asText(),
          kind(block),
          block.path("version").asText(),
          RelativeTime.time(block.path("updatedAt")),
          block.path("content").asText());
    }
    for (JsonNode value : kept.path("values")) {
      table.row(
          value.path("key").asText(),
          "value",
          value.path("version").asText(),
          RelativeTime.time(value.path("updatedAt")),
          value.path("value").asText());
    }
    table.print(screen);
  }

  private static String kind(JsonNode block) {
    boolean isFixed = block.path("readOnly").asBoolean() || !block.path("mayWrite").asBoolean();
    return (block.path("shared").asBoolean() ? "shared block" : "block")
        + (isFixed ? ", read-only" : "");
  }

  void block(JsonNode block) {
    String content = block.path("content").asText();
    new KeyValueTable()
        .with("block", block.path("label"))
        .with("kind", kind(block))
        .with("description", block.path("description"))
        .with("version", block.path("version"))
        .with("seen by agent", shown(block))
        .with("written by", block.path("author"))
        .with("changed", RelativeTime.time(block.path("updatedAt")))
        .with(
            "size",
            "%d of %s characters"
                .formatted(
                    content.codePointCount(0, content.length()), block.path("limit").asText()))
        .with("content", content)
        .print(screen);
  }

  private static String shown(JsonNode block) {
    long seen = block.path("seen").asLong();
    return seen == 0 ? "not yet" : "version " + seen;
  }

  void history(JsonNode versions) {
    var table = TextTable.of("VERSION", "AT", "BY", "REASON", "CONTENT");
    for (JsonNode one : versions) {
      table.row(one, "version", "at", "author", "reason", "content");
    }
    table.print(screen);
  }

  /// Prints `none` if there are none.
  void passages(JsonNode passages, String none) {
    if (passages.isEmpty()) {
      screen.line(none);
      return;
    }
    boolean isSearch = passages.path(0).has("match");
    var table =
        isSearch
            ? TextTable.of("PASSAGE", "MATCH", "SCORE", "STORED", "TAGS", "CONTENT")
            : TextTable.of("PASSAGE", "STORED", "TAGS", "CONTENT");
    for (JsonNode passage : passages) {
      if (isSearch) {
        table.row(
            passage.path("id").asText(),
            passage.path("match").asText(),
            String.format(Locale.ROOT, "%.2f", passage.path("score").asDouble()),
            RelativeTime.time(passage.path("createdAt")),
            tags(passage),
            passage.path("content").asText());
        continue;
      }
      table.row(
          passage.path("id").asText(),
          RelativeTime.time(passage.path("createdAt")),
          tags(passage),
          passage.path("content").asText());
    }
    table.print(screen);
  }

  private static String tags(JsonNode passage) {
    return passage
        .path("tags")
        .valueStream()
        .map(JsonNode::asText)
        .collect(Collectors.joining(" "));
  }

  void shared(JsonNode block) {
    new KeyValueTable()
        .with("shared", block.path("label"))
        .with("id", block.path("id"))
        .with(
            "agents",
            block
                .path("agents")
                .valueStream()
                .map(MemoryPrinter::reader)
                .collect(Collectors.joining("\n")))
        .print(screen);
  }

  void printAllShared(JsonNode blocks) {
    if (blocks.isEmpty()) {
      screen.line(
          "no shared blocks; create a block: ./substrat memory share LABEL TEXT --read A --read B");
      return;
    }
    var table = TextTable.of("BLOCK", "LABEL", "VERSION", "CHANGED", "AGENTS", "CONTENT");
    for (JsonNode block : blocks) {
      table.row(
          block.path("id").asText(),
          block.path("label").asText(),
          block.path("version").asText(),
          RelativeTime.time(block.path("updatedAt")),
          block
              .path("agents")
              .valueStream()
              .map(MemoryPrinter::reader)
              .collect(Collectors.joining(", ")),
          block.path("content").asText());
    }
    table.print(screen);
  }

  private static String reader(JsonNode reader) {
    return reader.path("agent").asText()
        + (reader.path("mayWrite").asBoolean() ? " (can write)" : "");
  }
}
