package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.DurationConverter;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.StdinText;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Sends a message to an agent. It asks for an answer unless `--no-reply` is given; `--wait` waits
/// for the answer.
@Command(
    description = {
      "Send a message to an agent; with --wait, print its answer.",
      "",
      "The message asks for an answer, which arrives in your inbox (./substrat inbox). With"
          + " --wait,",
      "the command prints the answer. With --no-reply, the message asks for no answer. To see the",
      "delivery state, use ./substrat message show ID. Put -- before a TEXT that looks like an"
          + " option."
    },
    footer = {
      "  ./substrat send mira \"Is the ship ready?\"",
      "  ./substrat send mira \"Is the ship ready?\" --wait --timeout 5m",
      "  ./substrat send mira \"The ship is ready.\" --no-reply",
      "  ./substrat send mira -- \"--wait is an option\"",
      "  cat report.md | ./substrat send noor - --wait > review.md",
      ""
    })
public final class SendCommand implements Runnable {
  private static final Duration MAX_WAIT = Duration.ofMinutes(30);

  private final RootCommand shell;

  @Parameters(index = "0", paramLabel = "AGENT", description = "Agent: handle or id.")
  private String agent = "";

  @Parameters(
      index = "1",
      paramLabel = "TEXT",
      description = "Message text, or \"-\" to read it from stdin.")
  private String text = "";

  @Option(names = "--wait", description = "Wait for the answer and print it.")
  private boolean wait;

  @Option(
      names = "--no-reply",
      description = "Do not ask for an answer (default: the answer arrives in your inbox).")
  private boolean noReply;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time limit for --wait, such as 90s or 2h (default: 30m).")
  private @Nullable Duration timeout;

  public SendCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (wait && noReply) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--wait and --no-reply cannot be combined", "remove --wait or --no-reply");
    }
    if (timeout != null && !wait) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--timeout needs --wait", "add --wait, or remove --timeout");
    }
    var body = JsonTree.object().put("text", StdinText.textOrStdin(text)).put("sync", !noReply);
    String target = DaemonClient.path("/api/agents/", agent) + "/messages";
    // One idempotency key per command, so that a retry stores the message once.
    String key = UUID.randomUUID().toString();
    if (!wait) {
      printSent(shell.daemon().post(target, body, key));
      return;
    }
    var reply = new ReplyWait(shell, agent, timeout == null ? MAX_WAIT : timeout);
    JsonNode settled = reply.await(() -> shell.daemon().post(target, body, key));
    if (settled.hasNonNull("answers")) {
      printAnswered(settled);
      return;
    }
    if (shell.wantsJson()) {
      shell.terminal().json(settled);
    }
    String answer = reply.text(settled);
    if (!shell.wantsJson()) {
      // A program gets the reply unchanged; on a terminal control characters are escaped.
      Terminal screen = shell.terminal();
      screen.out().println(screen.outIsTerminal() ? TerminalText.block(answer) : answer);
    }
    markRead(settled.path("reply").path("message_id").asText(""));
  }

  /// Marks the printed reply as read. A failure is ignored: the inbox then shows the reply again.
  private void markRead(String reply) {
    try {
      if (!reply.isEmpty()) {
        shell.daemon().post("/api/inbox/read", JsonTree.object().put("message", reply));
      }
    } catch (Fault _) {
      // See above.
    }
  }

  /// The message answered a question of the agent, so no reply follows.
  private void printAnswered(JsonNode sent) {
    if (shell.printsJson(sent)) {
      return;
    }
    shell.note(
        "%1$s had asked you a question (%2$s); your message is the answer. Further messages arrive in: %3$s"
            .formatted(
                agent, TerminalText.line(sent.path("answers").asText()), shell.command("inbox")));
  }

  private void printSent(JsonNode sent) {
    if (shell.printsJson(sent)) {
      return;
    }
    String id = sent.path("message_id").asText();
    var facts = new KeyValueTable().with("sent to", agent).with("message", id);
    if (sent.hasNonNull("answers")) {
      facts.with("answers", "the question " + sent.path("answers").asText());
    } else if (noReply) {
      facts.with("answer", "not requested");
    } else {
      facts.with(
          "answer",
          "arrives in your inbox: %s (to print it here, use --wait)"
              .formatted(shell.command("inbox")));
    }
    facts.with("next", shell.command("message show " + id)).print(shell.terminal());
    if (sent.hasNonNull("waits")) {
      shell.note(
          "the message waits for budget: %s. Raise the budget: %s"
              .formatted(
                  TerminalText.line(sent.path("waits").asText()),
                  shell.command("agent budget " + agent)));
    }
  }
}
