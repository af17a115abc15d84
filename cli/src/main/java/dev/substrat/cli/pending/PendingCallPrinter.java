package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.FactTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.protocol.HiddenCharacters;

/// Prints a pending call.
record PendingCallPrinter(RootCommand shell) {
  private Terminal screen() {
    return shell.terminal();
  }

  void print(JsonNode call) {
    if (call.path("byDaemon").asBoolean()) {
      printExecuted(call);
    } else {
      printQuestion(call);
    }
  }

  /// A call that the daemon executes: no person is asked.
  private void printExecuted(JsonNode call) {
    String id = call.path("callId").asText();
    String tool = call.path("tool").asText();
    String since = RelativeTime.time(call.path("createdAt"));
    boolean isOver = call.hasNonNull("outcome");
    String took = RelativeTime.between(call.path("createdAt"), NullNode.getInstance());
    new FactTable()
        .with("call", id)
        .with("agent", call.path("agent"))
        .with("executing", isOver ? "" : "%s since %s (%s)".formatted(tool, since, took))
        .with("tool", isOver ? tool : "")
        .with("arguments", JsonTree.text(call.path("args")))
        .with("space", call.path("spaceId").asText(""))
        .with("status", isOver ? executedOutcome(call) : "")
        .with("started", isOver ? since : "")
        .with("cancel", isOver ? "" : shell.command("pending answer " + id + " --decline"))
        .with("result", result(call))
        .print(screen());
  }

  /// Outcome of a call that the daemon executed. Declining such a call cancels it.
  static String executedOutcome(JsonNode call) {
    String outcome = call.path("outcome").asText();
    return switch (outcome) {
      case "answered" -> "completed";
      case "declined" -> "cancelled";
      default -> outcome;
    };
  }

  private static String result(JsonNode call) {
    return call.hasNonNull("result") ? JsonTree.text(call.path("result")) : "";
  }

  /// Warning about hidden characters in the arguments.
  private static String warning(JsonNode call) {
    return hasHidden(call.path("args"))
        ? "the arguments contain hidden characters, shown here as code points"
        : "";
  }

  private static boolean hasHidden(JsonNode value) {
    return HiddenCharacters.contains(value.asText())
        || value.propertyStream().anyMatch(one -> HiddenCharacters.contains(one.getKey()))
        || value.valueStream().anyMatch(PendingCallPrinter::hasHidden);
  }

  private void printQuestion(JsonNode call) {
    JsonNode form = call.path("form");
    new FactTable()
        .with("call", call.path("callId"))
        .with("agent", call.path("agent"))
        .with("tool", call.path("tool"))
        .with("question", form.path("title").asText() + ": " + form.path("text").asText())
        .with("arguments", JsonTree.text(call.path("args")))
        .with("warning", warning(call))
        .with("answer", form.path("component").asText() + " " + JsonTree.text(form.path("schema")))
        .with("callback URL", call.path("callbackUrl").asText(""))
        .with("space", call.path("spaceId").asText(""))
        .with("status", call.path("outcome").asText(call.path("status").asText()))
        .with("asked", RelativeTime.time(call.path("createdAt")))
        .with("expires", RelativeTime.time(call.path("expiresAt")))
        .with("answered by", call.path("answeredBy").asText(""))
        .with("result", result(call))
        .print(screen());
  }
}
