package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Facts;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.wire.Json;
import dev.substrat.protocol.HiddenCharacters;

/// A pending call, as people read it.
record CallPage(Shell shell) {
  private Screen screen() {
    return shell.screen();
  }

  void print(JsonNode call) {
    if (call.path("byDaemon").asBoolean()) {
      printExecuted(call);
    } else {
      printQuestion(call);
    }
  }

  /// A call that the daemon executes itself: nobody is asked anything.
  private void printExecuted(JsonNode call) {
    String id = call.path("callId").asText();
    String tool = call.path("tool").asText();
    String since = Clock.time(call.path("createdAt"));
    boolean isOver = call.hasNonNull("outcome");
    String took = Clock.between(call.path("createdAt"), NullNode.getInstance());
    new Facts()
        .with("call", id)
        .with("agent", call.path("agent"))
        .with("executing", isOver ? "" : "%s since %s (%s)".formatted(tool, since, took))
        .with("tool", isOver ? tool : "")
        .with("arguments", Json.text(call.path("args")))
        .with("space", call.path("spaceId").asText(""))
        .with("status", isOver ? executedOutcome(call) : "")
        .with("started", isOver ? since : "")
        .with("cancel", isOver ? "" : shell.command("pending answer " + id + " --decline"))
        .with("result", result(call))
        .print(screen());
  }

  /// How a call ended that the daemon executed. To decline such a call cancels it.
  static String executedOutcome(JsonNode call) {
    String outcome = call.path("outcome").asText();
    return switch (outcome) {
      case "answered" -> "completed";
      case "declined" -> "cancelled";
      default -> outcome;
    };
  }

  private static String result(JsonNode call) {
    return call.hasNonNull("result") ? Json.text(call.path("result")) : "";
  }

  /// Says why the arguments do not look like what was typed.
  private static String warning(JsonNode call) {
    return hasHidden(call.path("args"))
        ? "the arguments contain hidden characters, shown here by their numbers"
        : "";
  }

  private static boolean hasHidden(JsonNode value) {
    return HiddenCharacters.contains(value.asText())
        || value.propertyStream().anyMatch(one -> HiddenCharacters.contains(one.getKey()))
        || value.valueStream().anyMatch(CallPage::hasHidden);
  }

  private void printQuestion(JsonNode call) {
    JsonNode form = call.path("form");
    new Facts()
        .with("call", call.path("callId"))
        .with("agent", call.path("agent"))
        .with("tool", call.path("tool"))
        .with("question", form.path("title").asText() + ": " + form.path("text").asText())
        .with("arguments", Json.text(call.path("args")))
        .with("warning", warning(call))
        .with("answer", form.path("component").asText() + " " + Json.text(form.path("schema")))
        .with("bring it to", call.path("callbackUrl").asText(""))
        .with("space", call.path("spaceId").asText(""))
        .with("status", call.path("outcome").asText(call.path("status").asText()))
        .with("asked", Clock.time(call.path("createdAt")))
        .with("expires", Clock.time(call.path("expiresAt")))
        .with("answered by", call.path("answeredBy").asText(""))
        .with("result", result(call))
        .print(screen());
  }
}
