package dev.substrat.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.Facts;
import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Stdin;
import dev.substrat.cli.shell.Timespan;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
import dev.substrat.fault.Fault;
import java.time.Duration;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Writes to an agent as the operator, and waits for the answer if asked to.
@Command(
    description = {
      "Write to an agent; --wait prints its answer.",
      "",
      "Without --wait nothing is asked: what the agent says at the end of its turn is not brought",
      "back, only what it writes to you by itself is in ./substrat inbox. ./substrat message show ID",
      "tells what became of the message. A TEXT that looks like an option goes after --."
    },
    footer = {
      "  ./substrat send mira \"Is the ship ready?\"",
      "  ./substrat send mira \"Is the ship ready?\" --wait --timeout 5m",
      "  ./substrat send mira -- \"--wait is an option\"",
      "  cat report.md | ./substrat send noor - --wait > review.md",
      ""
    })
final class SendCommand implements Runnable {
  private final Shell shell;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Handle or id.")
  private String agent = "";

  @Parameters(index = "1", paramLabel = "TEXT", description = "What to say; - reads stdin.")
  private String text = "";

  @Option(names = "--wait", description = "Wait for the answer and print it.")
  private boolean wait;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      converter = Timespan.class,
      description = "How long to wait: 90s, 30m, 2h (default: 30m).")
  private Duration timeout = Duration.ofMinutes(30);

  SendCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var body = Json.object().put("text", Stdin.orText(text));
    String target = Daemon.path("/api/agents/", agent) + "/messages";
    // One key per command: if the connection breaks before the answer, sending again is harmless.
    String key = UUID.randomUUID().toString();
    if (!wait) {
      tellSent(shell.daemon().post(target, body, key));
      return;
    }
    body.put("sync", true);
    var reply = new Reply(shell, agent, timeout);
    JsonNode settled = reply.await(() -> shell.daemon().post(target, body, key));
    if (shell.wantsJson()) {
      shell.screen().json(settled);
    }
    String answer = reply.text(settled);
    if (!shell.wantsJson()) {
      // A program gets the reply as it is; a terminal would obey what is hidden in it.
      shell.screen().line(shell.screen().outIsTerminal() ? Plain.block(answer) : answer);
    }
    markRead(settled.path("reply").path("message_id").asText(""));
  }

  /// What was printed was read. That it could not be marked is no reason to fail: the answer is
  /// there, and the inbox only shows it once more.
  private void markRead(String reply) {
    try {
      if (!reply.isEmpty()) {
        shell.daemon().post("/api/inbox/read", Json.object().put("message", reply));
      }
    } catch (Fault _) {
      // See above.
    }
  }

  private void tellSent(JsonNode sent) {
    if (shell.wantsJson()) {
      shell.screen().json(sent);
      return;
    }
    String id = sent.path("message_id").asText();
    new Facts()
        .with("sent to", agent)
        .with("message", id)
        .with("answer", "not asked for; --wait asks and brings it here")
        .with("next", shell.command("message show " + id))
        .print(shell.screen());
    if (sent.hasNonNull("waits")) {
      shell
          .screen()
          .note(
              "it waits: %s. To go on: %s"
                  .formatted(
                      Plain.line(sent.path("waits").asText()),
                      shell.command("agent budget " + agent)));
    }
  }
}
