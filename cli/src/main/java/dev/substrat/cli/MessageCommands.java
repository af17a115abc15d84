package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Facts;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.wire.Daemon;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// Messages: what became of one.
@Command(
    description = "Look at what became of a message: show.",
    footer = {"  ./substrat message show MESSAGE", ""})
final class MessageCommands {
  private final Shell shell;

  MessageCommands(Shell shell) {
    this.shell = shell;
  }

  @Command(
      name = "show",
      description = "One message: how far it has come and when, and its answer.",
      footer = {
        "  ./substrat message show MESSAGE",
        "  ./substrat message show MESSAGE --json",
        ""
      })
  void show(
      @Parameters(paramLabel = "MESSAGE", description = "Id of the message, as send printed it.")
          String id) {
    JsonNode message = shell.daemon().read(Daemon.path("/api/messages/", id));
    if (shell.wantsJson()) {
      shell.screen().json(message);
      return;
    }
    new Facts()
        .with("message", message.path("message_id"))
        .with("from", message.path("from"))
        .with("to", message.path("to"))
        .with("in reply to", message.path("in_reply_to"))
        .with("status", message.path("status"))
        .with("reason", message.path("reason"))
        .with("waits", message.path("waits"))
        .with("failed", message.path("delay").path("reason"))
        .with("next try", Clock.time(message.path("delay").path("next_try_at")))
        .with("history", history(message))
        .with("text", message.path("text"))
        .with("reply", message.path("reply").path("text"))
        .print(shell.screen());
  }

  private static String history(JsonNode message) {
    return message
        .path("history")
        .valueStream()
        .map(step -> Clock.time(step.path("at")) + "  " + step.path("status").asText())
        .collect(Collectors.joining("\n"));
  }
}
