package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.shell.TextTable;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.IdPrefix;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Calls of agents that wait for a person or a service.
@Command(
    description = "Calls that wait for somebody: list, show, answer.",
    footer = {
      "  ./substrat pending list",
      "  ./substrat pending answer CALL --approve",
      "  ./substrat pending answer CALL --decline --reason \"not today\"",
      ""
    })
public final class PendingCommands {
  private static final String CALL =
      "Id of the call, or how it begins; from pending list or agent show.";

  /// Of what is asked, in a row of the list.
  private static final int LONGEST = 80;

  private final RootCommand shell;

  public PendingCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "What waits for an answer, oldest first.",
      footer = {
        "  ./substrat pending list",
        "  ./substrat pending list --agent mira --status all --json",
        ""
      })
  void list(
      @Option(names = "--agent", paramLabel = "A", description = "Only those of this agent.")
          @Nullable String agent,
      @Option(names = "--status", paramLabel = "S", description = "pending, resolved or all.")
          @Nullable String status) {
    JsonNode list =
        shell
            .daemon()
            .readAll(
                DaemonClient.query("/api/pending", "agent", agent, "status", status), "pending");
    if (shell.wantsJson()) {
      shell.screen().json(list);
    } else if (list.path("pending").isEmpty()) {
      shell.screen().line("nothing waits for an answer");
    } else {
      print(list.path("pending"));
    }
  }

  private void print(JsonNode calls) {
    var table = TextTable.of("CALL", "AGENT", "TOOL", "STATUS", "SINCE", "EXPIRES", "WHAT");
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
    table.print(shell.screen());
  }

  /// What the agent asks, in its own words if it has some. What the tool is for says the same for
  /// each of its calls.
  private static String what(JsonNode call) {
    String text = call.at("/form/text").asText();
    JsonNode arguments = call.path("args");
    boolean isAsked = arguments.valueStream().anyMatch(one -> one.asText().equals(text));
    return beginning(isAsked || arguments.isEmpty() ? text : JsonTree.text(arguments));
  }

  /// As much as fits into a row, and how much does not; `pending show` has all of it.
  private static String beginning(String text) {
    String line = TerminalText.line(text);
    if (line.length() <= LONGEST) {
      return line;
    }
    String cut = TerminalText.cut(line, LONGEST);
    return String.format(
        Locale.ROOT, "%s %,d more characters", cut, line.length() - cut.length() + 1);
  }

  @Command(
      name = "show",
      description = "Show a call: who asks what and how to answer, or what the daemon executes.",
      footer = {"  ./substrat pending show CALL", ""})
  void show(@Parameters(paramLabel = "CALL", description = CALL) String id) {
    JsonNode call = shell.daemon().read(path(whole(id)));
    if (shell.wantsJson()) {
      shell.screen().json(call);
    } else {
      new PendingCallPrinter(shell).print(call);
    }
  }

  @Command(
      name = "answer",
      description = "Answer a call, or decline it. Without a result you are asked for it.",
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
              description = "A yes, a choice, a text; or JSON.")
          @Nullable String result,
      @Option(names = "--approve", description = "Say yes to what only wants a yes.")
          boolean approves,
      @Option(names = "--decline", description = "You will not do it.") boolean declines,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why you decline.")
          @Nullable String reason) {
    requireOne(result != null, approves, declines);
    String id = whole(typed);
    ObjectNode body = JsonTree.object();
    if (declines) {
      body.put("declined", true);
      if (reason != null) {
        body.put("reason", reason);
      }
    } else {
      JsonNode call = requireAsked(id);
      body.set("result", approves ? AnswerPrompt.yes(call) : result(call, result));
      nameArguments(body, call);
    }
    told(shell.daemon().post(path(id) + "/answer", body));
  }

  /// The answer is about what was read here, whatever else has this id by then.
  private static void nameArguments(ObjectNode body, JsonNode call) {
    if (call.hasNonNull("argsHash")) {
      body.set("argsHash", call.path("argsHash"));
    }
  }

  private static void requireOne(boolean hasResult, boolean approves, boolean declines) {
    if ((hasResult && (approves || declines)) || (approves && declines)) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "a result, --approve and --decline are three different answers",
          "give one of them");
    }
  }

  private void told(JsonNode call) {
    if (shell.wantsJson()) {
      shell.screen().json(call);
    } else if (call.path("byDaemon").asBoolean()) {
      shell
          .screen()
          .line(
              "%s: %s of %s"
                  .formatted(
                      PendingCallPrinter.executedOutcome(call),
                      call.path("tool").asText(),
                      call.path("agent").asText()));
    } else {
      shell
          .screen()
          .line(
              "%s: %s has the result of %s in its inbox"
                  .formatted(
                      call.path("outcome").asText(),
                      call.path("agent").asText(),
                      call.path("tool").asText()));
    }
  }

  /// Refuses to answer a call that the daemon executes.
  private JsonNode requireAsked(String id) {
    JsonNode call = shell.daemon().read(path(id));
    if (call.path("byDaemon").asBoolean() && !call.hasNonNull("outcome")) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "the daemon executes this call of %s; nobody else can answer it"
              .formatted(call.path("tool").asText()),
          "its agent receives the result; to cancel the call: "
              + shell.command("pending answer " + id + " --decline"));
    }
    return call;
  }

  /// What was typed; without it, whoever sits at the terminal is asked in the form the tool wants.
  private JsonNode result(JsonNode call, @Nullable String typed) {
    if (typed != null) {
      return new TypedAnswer(call).of(typed);
    }
    if (!shell.screen().canAsk()) {
      throw new TypedAnswer(call).missing();
    }
    new PendingCallPrinter(shell).print(call);
    return new TypedAnswer(call)
        .complete(new AnswerPrompt(shell.screen()).result(call.path("form")));
  }

  private String whole(String typed) {
    return new IdPrefix(typed)
        .whole(
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
}
