package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.IdPrefix;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.HiddenCharacters;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for pending calls, which wait for a person or a service.
@Command(
    description = "Manage calls that wait for a person's answer or approval: list, show, answer.",
    footer = {
      "  ./substrat pending list",
      "  ./substrat pending answer CALL --approve",
      "  ./substrat pending answer CALL --decline --reason \"not today\"",
      ""
    })
public final class PendingCommands {
  private static final String CALL =
      "Call id or a unique prefix of it, from ./substrat pending list.";

  /// Maximum length of a question in the list.
  private static final int MAX_LENGTH = 80;

  private final RootCommand shell;

  public PendingCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List calls that wait for an answer, oldest first.",
      footer = {
        "  ./substrat pending list",
        "  ./substrat pending list --agent mira --status all --json",
        ""
      })
  void list(
      @Option(names = "--agent", paramLabel = "A", description = "Only calls of this agent.")
          @Nullable String agent,
      @Option(
              names = "--status",
              paramLabel = "S",
              description = "Status of the calls: pending, resolved or all (default: pending).")
          @Nullable String status) {
    JsonNode list =
        shell
            .daemon()
            .readAll(
                DaemonClient.query("/api/pending", "agent", agent, "status", status), "pending");
    if (!shell.printsList(list, "pending", "no pending calls")) {
      print(list.path("pending"));
    }
  }

  private void print(JsonNode calls) {
    var table = TextTable.of("CALL", "AGENT", "TOOL", "STATUS", "SINCE", "EXPIRES", "QUESTION");
    for (JsonNode call : calls) {
      table.row(
          call.path("callId").asText(),
          call.path("agent").asText(),
          call.path("tool").asText(),
          call.path("outcome").asText(call.path("status").asText()),
          RelativeTime.time(call.path("createdAt")),
          call.path("expiresAt").isNull() ? "" : RelativeTime.time(call.path("expiresAt")),
          what(call));
    }
    table.print(shell.terminal());
  }

  /// The agent's question, or the arguments of the call. The form's text alone may only describe
  /// the tool.
  private static String what(JsonNode call) {
    String text = call.at("/form/text").asText();
    JsonNode arguments = call.path("args");
    boolean isAsked = arguments.valueStream().anyMatch(one -> one.asText().equals(text));
    return beginning(isAsked || arguments.isEmpty() ? text : JsonTree.text(arguments));
  }

  /// The text cut to a row, with the number of omitted characters.
  private static String beginning(String text) {
    String line = TerminalText.line(text);
    if (line.length() <= MAX_LENGTH) {
      return line;
    }
    String cut = TerminalText.cut(line, MAX_LENGTH);
    return String.format(
        Locale.ROOT, "%s %,d more characters", cut, line.length() - cut.length() + 1);
  }

  @Command(
      name = "show",
      description = "Show a call: its tool, its arguments, its question and the expected answer.",
      footer = {"  ./substrat pending show CALL", ""})
  void show(@Parameters(paramLabel = "CALL", description = CALL) String id) {
    JsonNode call = shell.daemon().read(path(whole(id)));
    if (!shell.printsJson(call)) {
      new PendingCallPrinter(shell).print(call);
    }
  }

  @Command(
      name = "answer",
      description = "Answer or decline a call. Without RESULT, the command prompts for the answer.",
      footer = {
        "  ./substrat pending answer CALL",
        "  ./substrat pending answer CALL yes",
        "  ./substrat pending answer CALL --approve",
        "  ./substrat pending answer CALL '{\"confirmed\":true}'",
        "  ./substrat pending answer CALL --decline --reason \"not today\"",
        ""
      })
  void answer(
      @Parameters(paramLabel = "CALL", description = CALL) String typed,
      @Parameters(
              paramLabel = "RESULT",
              arity = "0..1",
              description = "Answer: yes, no, a choice, a text, or JSON.")
          @Nullable String result,
      @Option(
              names = "--approve",
              description = "Answer yes to a call with a single yes/no question.")
          boolean approves,
      @Option(
              names = "--decline",
              description = "Decline the call; the agent gets a result that says so.")
          boolean declines,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              description = "Reason for --decline, sent to the agent.")
          @Nullable String reason) {
    requireOne(result != null, approves, declines);
    String id = whole(typed);
    ObjectNode body = JsonTree.object();
    if (declines) {
      body.put("declined", true);
      JsonTree.putIfGiven(body, "reason", reason);
    } else {
      JsonNode call = requireAsked(id);
      body.set("result", approves ? AnswerPrompt.approval(call) : result(call, result));
      bindToArguments(body, call);
    }
    printAnswered(shell.daemon().post(path(id) + "/answer", body));
  }

  /// Binds the answer to the arguments that were read here.
  private static void bindToArguments(ObjectNode body, JsonNode call) {
    if (call.hasNonNull("argsHash")) {
      body.set("argsHash", call.path("argsHash"));
    }
  }

  private static void requireOne(boolean hasResult, boolean approves, boolean declines) {
    if ((hasResult && (approves || declines)) || (approves && declines)) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "RESULT, --approve and --decline cannot be combined",
          "use only one of RESULT, --approve and --decline");
    }
  }

  private void printAnswered(JsonNode call) {
    if (shell.wantsJson()) {
      shell.terminal().json(call);
    } else if (call.path("byDaemon").asBoolean()) {
      shell.line(
          "%s: %s of %s"
              .formatted(
                  PendingCallPrinter.executedOutcome(call),
                  call.path("tool").asText(),
                  call.path("agent").asText()));
    } else {
      shell.line(
          "%s: the result of %3$s is in the inbox of %2$s"
              .formatted(
                  call.path("outcome").asText(),
                  call.path("agent").asText(),
                  call.path("tool").asText()));
    }
  }

  /// Rejects an answer to a call that the daemon executes.
  private JsonNode requireAsked(String id) {
    JsonNode call = shell.daemon().read(path(id));
    if (call.path("byDaemon").asBoolean() && !call.hasNonNull("outcome")) {
      throw ErrorCode.CONFLICT.fault(
          "the daemon executes this call of %s, so a person cannot answer it"
              .formatted(call.path("tool").asText()),
          "the agent gets the result from the daemon; to cancel the call: "
              + shell.command("pending answer " + id + " --decline"));
    }
    return call;
  }

  /// The typed result, or the answers to a prompt on the terminal.
  private JsonNode result(JsonNode call, @Nullable String typed) {
    if (typed != null) {
      return new AnswerConverter(call).of(typed);
    }
    if (!shell.terminal().canAsk()) {
      throw new AnswerConverter(call).missing();
    }
    new PendingCallPrinter(shell).print(call);
    return new AnswerConverter(call)
        .complete(new AnswerPrompt(shell.terminal()).result(call.path("form")));
  }

  private String whole(String typed) {
    return new IdPrefix(typed)
        .complete(
            () ->
                shell
                    .daemon()
                    .readAll("/api/pending?status=all&byDaemon=true", "pending")
                    .path("pending")
                    .valueStream()
                    .map(call -> call.path("callId").asText()),
            "calls",
            "pending list --status all");
  }

  private static String path(String id) {
    return DaemonClient.path("/api/pending/", id);
  }

  /// Prints a pending call.
  private record PendingCallPrinter(RootCommand shell) {
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
      new KeyValueTable()
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
      new KeyValueTable()
          .with("call", call.path("callId"))
          .with("agent", call.path("agent"))
          .with("tool", call.path("tool"))
          .with("question", form.path("title").asText() + ": " + form.path("text").asText())
          .with("arguments", JsonTree.text(call.path("args")))
          .with("warning", warning(call))
          .with(
              "answer", form.path("component").asText() + " " + JsonTree.text(form.path("schema")))
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
}
