package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Clock;
import dev.substrat.cli.shell.Facts;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.wire.Beginning;
import dev.substrat.cli.wire.Daemon;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
      @Parameters(
              paramLabel = "MESSAGE",
              description = "Id of the message, as send printed it, or how it begins.")
          String typed) {
    String id = new Beginning(typed).whole(this::recent, "messages", "inbox --json");
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

  /// The newest messages from and to each agent that lives: all mail has one at one end.
  private Stream<String> recent() {
    return shell
        .daemon()
        .readAll("/api/agents", "agents")
        .path("agents")
        .valueStream()
        .map(
            agent -> Daemon.path("/api/agents/", agent.path("id").asText()) + "/messages?limit=200")
        .flatMap(target -> shell.daemon().read(target).path("messages").valueStream())
        .map(message -> message.path("message_id").asText());
  }

  private static String history(JsonNode message) {
    return message
        .path("history")
        .valueStream()
        .map(step -> Clock.time(step.path("at")) + "  " + step.path("status").asText())
        .collect(Collectors.joining("\n"));
  }
}
