package dev.substrat.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.cli.terminal.TextTable;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Prints runs and replays.
record RunPrinter(Terminal screen) {
  private static final Set<String> CALLS = Set.of("tool_call_message", "own_tool_call_message");
  private static final Set<String> RETURNS =
      Set.of("tool_return_message", "own_tool_return_message");

  /// Mark for a run whose final text was not posted in its space.
  static final String UNPOSTED = "(finished without posting)";

  /// Costs are in millionths of a dollar.
  private static final int MICRO = 6;

  void printSummary(JsonNode run, JsonNode steps) {
    boolean again = run.path("attempt").asInt() > 1;
    var used = new UsageTotals(steps);
    new KeyValueTable()
        .with("run", run.path("id"))
        .with("agent", run.path("agent"))
        .with("turn", run.path("turn"))
        .with("subject", run.path("subject"))
        .with("space", space(run))
        .with("attempt", again ? run.path("attempt").asText() : "")
        .with("retry of", run.path("retryOf"))
        .with("status", run.path("status"))
        .with("stop reason", run.path("stopReason"))
        .with("started", RelativeTime.time(run.path("startedAt")))
        .with("duration", RelativeTime.between(run.path("startedAt"), run.path("endedAt")))
        .with("model", used.models())
        .with("usage", used.words())
        .with("response", run.path("response"))
        .print(screen);
  }

  /// The space whose message started the run, if any.
  private static String space(JsonNode run) {
    String space = run.path("spaceId").asText("");
    return run.path("finishedWithoutPosting").asBoolean()
        ? (space + " " + UNPOSTED).strip()
        : space;
  }

  /// Total usage and the models of all steps.
  private record UsageTotals(JsonNode steps) {
    String models() {
      return steps
          .valueStream()
          .map(step -> step.path("model").asText(""))
          .filter(model -> !model.isEmpty())
          .distinct()
          .collect(Collectors.joining(", "));
    }

    String words() {
      long input = sum("inputTokens");
      long output = sum("outputTokens");
      BigDecimal dollars = BigDecimal.valueOf(sum("costMicros"), MICRO);
      return input + output == 0
          ? ""
          : "%d tokens in, %d out, %s USD, %d step%s"
              .formatted(
                  input,
                  output,
                  dollars.stripTrailingZeros().toPlainString(),
                  steps.size(),
                  steps.size() == 1 ? "" : "s");
    }

    private long sum(String key) {
      return steps.valueStream().mapToLong(step -> step.path(key).asLong()).sum();
    }
  }

  /// Inbox events given to the turn.
  void printInput(JsonNode events) {
    if (events.isEmpty()) {
      return;
    }
    screen.line("");
    var table = TextTable.of("INPUT", "FROM", "SHOWN", "TEXT");
    for (JsonNode event : events) {
      JsonNode payload = event.path("payload");
      table.row(
          event.path("kind").asText(),
          payload.path("from").asText(),
          RelativeTime.time(event.path("shownAt")),
          payload.path("text").asText());
    }
    table.print(screen);
  }

  /// Tool calls and their results.
  void printCalls(JsonNode messages) {
    Map<String, String> results = new HashMap<>();
    of(messages, RETURNS)
        .forEach(
            line -> results.put(line.path("toolCallId").asText(), line.path("content").asText()));
    var calls = of(messages, CALLS).toList();
    if (calls.isEmpty()) {
      return;
    }
    screen.line("");
    var table = TextTable.of("STEP", "CALL", "ARGUMENTS", "RESULT");
    for (JsonNode line : calls) {
      boolean isOwn = line.path("type").asText().startsWith("own_");
      String mark =
          isOwn ? " (provider's own)" : line.path("replayed").asBoolean() ? " (replayed)" : "";
      table.row(
          line.path("step").asText(),
          line.path("toolName").asText() + mark,
          JsonTree.text(line.path("toolInput")),
          results.getOrDefault(line.path("toolCallId").asText(), "none"));
    }
    table.print(screen);
  }

  /// The recorded calls and returns, for JSON output.
  static ArrayNode callsAndReturns(JsonNode messages) {
    var all = JsonTree.object().putArray("calls");
    messages
        .valueStream()
        .filter(line ->
            CALLS.contains(line.path("type").asText())
                || RETURNS.contains(line.path("type").asText()))
        .forEach(all::add);
    return all;
  }

  private static Stream<JsonNode> of(JsonNode messages, Set<String> types) {
    return messages.valueStream().filter(line -> types.contains(line.path("type").asText()));
  }

  void printReplay(JsonNode report) {
    if (report.path("equal").asBoolean()) {
      boolean complete = report.path("complete").asBoolean();
      new KeyValueTable()
          .with("result", "matches the record: " + counted(report))
          .with("record", complete ? "" : "incomplete: " + report.path("stopReason").asText())
          .print(screen);
      return;
    }
    JsonNode divergence = report.path("divergence");
    screen.line(
        TextStyle.BAD.paint("diverged", screen.hasColours())
            + " in step "
            + divergence.path("step").asText());
    new KeyValueTable()
        .with("recorded", move(divergence.path("recorded")))
        .with("now", move(divergence.path("now")))
        .print(screen);
    if (divergence.path("differences").isEmpty()) {
      return;
    }
    screen.line("");
    var table = TextTable.of("AT", "RECORDED", "NOW");
    for (JsonNode difference : divergence.path("differences")) {
      table.row(
          difference.path("pointer").asText(),
          value(difference.path("recorded")),
          value(difference.path("now")));
    }
    table.print(screen);
  }

  private static String counted(JsonNode report) {
    int calls = report.path("calls").asInt();
    int steps = report.path("steps").asInt();
    return "%d step%s, %d call%s"
        .formatted(steps, steps == 1 ? "" : "s", calls, calls == 1 ? "" : "s");
  }

  private static String value(JsonNode node) {
    return node.isMissingNode() ? "nothing" : JsonTree.text(node);
  }

  /// Text for a step of a provider.
  private static String move(JsonNode move) {
    if (move.has("call")) {
      return "calls " + move.path("call").asText() + " " + JsonTree.text(move.path("arguments"));
    }
    if (move.has("failed")) {
      return "fails: " + move.path("failed").asText();
    }
    if (move.has("done")) {
      String text = move.path("done").asText();
      return text.isBlank() ? "ends without text" : "ends with " + JsonTree.text(move.path("done"));
    }
    return "no end";
  }
}
