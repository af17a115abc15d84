package dev.substrat.cli.space;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Options of `space read`: the range of messages and whether to mark them as read.
final class HistoryOptions {
  private static final int USUAL = 20;
  private static final int MAX_COUNT = 200;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of messages, 1 to 200 (default: the newest 20).")
  private int limit = USUAL;

  @Option(names = "--before", paramLabel = "SEQ", description = "Only messages before this number.")
  private @Nullable Long before;

  @Option(
      names = "--after",
      paramLabel = "SEQ",
      description = "Only messages after this number, oldest first.")
  private @Nullable Long after;

  @Option(names = "--peek", description = "Do not mark messages as read.")
  private boolean peek;

  boolean isPeek() {
    return peek;
  }

  String query(String path) {
    if (limit < 1 || limit > MAX_COUNT) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--limit must be 1 to %d, not %d".formatted(MAX_COUNT, limit),
          "read older or newer messages with --before or --after");
    }
    return DaemonClient.query(
        path,
        "limit",
        String.valueOf(limit),
        "beforeSeq",
        before == null ? null : before.toString(),
        "afterSeq",
        after == null ? null : after.toString());
  }

  /// Text for an empty page; `last` is the number of the newest message.
  String emptyMessage(long last) {
    if (last == 0) {
      return "no messages in this space";
    }
    String between = before == null ? "after " + after : "before " + before;
    return "no messages %s; the last message is %d"
        .formatted(after == null || before == null ? between : "in this range", last);
  }

  /// Commands for the previous and next page, if there are any.
  Map<String, String> otherPages(String space, JsonNode page) {
    JsonNode messages = page.path("messages");
    boolean hasMore = page.path("hasMore").asBoolean();
    var further = new LinkedHashMap<String, String>();
    if (after == null && hasMore) {
      further.put("older", again(space, " --before " + seq(messages, 0)));
    }
    long end = seq(messages, messages.size() - 1);
    if (after == null ? end < page.path("lastSeq").asLong() : hasMore) {
      String until = after == null || before == null ? "" : " --before " + before;
      further.put("newer", again(space, " --after " + end + until));
    }
    return further;
  }

  private static long seq(JsonNode messages, int index) {
    return messages.path(index).path("seq").asLong();
  }

  private String again(String space, String part) {
    return "space read "
        + space
        + part
        + (limit == USUAL ? "" : " --limit " + limit)
        + (peek ? " --peek" : "");
  }
}
