package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.agent.AgentConditionText;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Handle;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for messages: their delivery state, and actions on held and dead messages.
@Command(
    description = "Manage messages and their delivery: list, show, release, retry, withdraw.",
    footer = {
      "  ./substrat message list --held",
      "  ./substrat message show MESSAGE",
      "  ./substrat message release MESSAGE",
      ""
    })
public final class MessageCommands {
  private static final String ID = "Message id or a unique prefix of it.";

  private static final int QUOTED = 50;

  private final RootCommand shell;

  public MessageCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List messages, newest first.",
      footer = {
        "  ./substrat message list",
        "  ./substrat message list --held --agent mira",
        "  ./substrat message list --dead --json",
        ""
      })
  void list(@Mixin MessageFilter filter) {
    JsonNode found = filter.read(shell.daemon());
    if (!shell.printsList(
        found, "messages", filter.isForUndelivered() ? "no matching messages" : "no messages")) {
      new MessagePrinter(found).print(shell.terminal(), filter.isForUndelivered());
    }
  }

  @Command(
      name = "show",
      description = "Show a message: its text, its delivery state, its answer.",
      footer = {
        "  ./substrat message show MESSAGE",
        "  ./substrat message show MESSAGE --json",
        ""
      })
  void show(@Parameters(paramLabel = "MESSAGE", description = ID) String id) {
    JsonNode message = read(id);
    if (shell.printsJson(message)) {
      return;
    }
    boolean hasOwnAttempts = message.hasNonNull("attempts");
    JsonNode delay = message.path("delay");
    new KeyValueTable()
        .with("message", message.path("message_id"))
        .with("from", message.path("from"))
        .with("to", message.path("to"))
        .with("in reply to", message.path("in_reply_to"))
        .with("status", statusText(message))
        .with("reason", MessagePrinter.reason(message))
        .with("waits", waits(message))
        .with("attempts", hasOwnAttempts ? attempts(message) : "")
        .with("failed", hasOwnAttempts ? "" : delay.path("reason").asText(""))
        .with("next try", hasOwnAttempts ? "" : RelativeTime.time(delay.path("next_try_at")))
        .with("next", next(message))
        .with("history", history(message))
        .with("text", message.path("text"))
        .with("reply", message.path("reply").path("text"))
        .print(shell.terminal());
  }

  private JsonNode read(String id) {
    requireDirect(id);
    return shell.daemon().read(DaemonClient.path("/api/messages/", id));
  }

  /// Rejects references to messages in a space, such as `general#12`.
  private void requireDirect(String id) {
    int mark = id.indexOf('#');
    if (mark > 0) {
      String space = id.substring(0, mark);
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "%s is a message in space %s, not a direct message".formatted(id, space),
          "to show the space: %s; to release its held messages: %s"
              .formatted(
                  shell.command("space show " + space), shell.command("space release " + space)));
    }
  }

  /// The status, with the turn.
  private static String statusText(JsonNode message) {
    if (message.hasNonNull("held")) {
      return "held";
    }
    String status = message.path("status").asText();
    String turn = message.path("run").path("turn").asText("");
    return switch (status) {
      case "stored" -> status + (isForTurn(message) ? " (waits for a turn)" : " (not read yet)");
      case "claimed", "injected" -> turn.isEmpty() ? status : status + " (in turn " + turn + ")";
      default -> status;
    };
  }

  /// False for people and external agents, which read their own inbox, and for spaces.
  private static boolean isForTurn(JsonNode message) {
    return !message.path("external").asBoolean()
        && !message.path("to").asText().equals(Handle.OPERATOR)
        && !message.path("kind").asText().equals("space_message");
  }

  private static String id(JsonNode message) {
    return message.path("message_id").asText();
  }

  private static String waits(JsonNode message) {
    JsonNode condition = message.path("condition");
    String state = condition.path("state").asText("idle");
    if (message.hasNonNull("held") || state.equals("idle")) {
      return message.path("waits").asText("");
    }
    if (state.equals("failing") && message.hasNonNull("attempts")) {
      // The attempts of the message show the same.
      return "";
    }
    List<String> sentences = AgentConditionText.sentences(condition);
    return sentences.isEmpty()
        ? ""
        : "%s is %s".formatted(message.path("to").asText(), sentences.getFirst());
  }

  private static String attempts(JsonNode message) {
    JsonNode delay = message.path("delay");
    JsonNode run = message.path("run");
    return AgentConditionText.failing(
            message.path("attempts").asLong(),
            delay.path("next_try_at"),
            delay.path("reason").asText())
        + (run.hasNonNull("run_id") ? "\nlast in run " + run.path("run_id").asText() : "");
  }

  /// Commands that resolve the problem.
  private String next(JsonNode message) {
    String id = id(message);
    if (message.hasNonNull("held") && message.path("kind").asText().equals("space_message")) {
      return "release it: " + shell.command("space release " + message.path("to").asText());
    }
    if (message.hasNonNull("held")) {
      return "to release the message:  %s\nto withdraw the message: %s"
          .formatted(
              shell.command("message release " + id), shell.command("message withdraw " + id));
    }
    if (!message.hasNonNull("can_retry")
        || !List.of("dead", "expired").contains(message.path("status").asText())) {
      return "";
    }
    String to = message.path("to").asText();
    if (message.path("can_retry").asBoolean()) {
      return "retry it: " + shell.command("message retry " + id);
    }
    return "the message cannot be retried: "
        + (to.equals(Handle.OPERATOR) ? "the recipient is a person" : to + " was terminated");
  }

  private static String history(JsonNode message) {
    return message
        .path("history")
        .valueStream()
        .map(step -> RelativeTime.time(step.path("at")) + "  " + step.path("status").asText())
        .collect(Collectors.joining("\n"));
  }

  @Command(
      name = "release",
      description = "Release a held message, so that it wakes its recipient.",
      footer = {"  ./substrat message release MESSAGE", ""})
  void release(@Parameters(paramLabel = "MESSAGE", description = ID) String id) {
    act(id, "release", "released");
  }

  @Command(
      name = "retry",
      description = "Deliver a dead letter or an expired message again, with five new attempts.",
      footer = {"  ./substrat message retry MESSAGE", ""})
  void retry(@Parameters(paramLabel = "MESSAGE", description = ID) String id) {
    act(id, "retry", "retrying");
  }

  @Command(
      name = "withdraw",
      description = {
        "Withdraw a message that is not yet included in a turn.",
        "",
        "The message becomes a dead letter. If an agent sent it as a question, the agent gets a"
            + " notice."
      },
      footer = {"  ./substrat message withdraw MESSAGE", ""})
  void withdraw(@Parameters(paramLabel = "MESSAGE", description = ID) String id) {
    act(id, "withdraw", "withdrawn");
  }

  private void act(String id, String action, String done) {
    String path = DaemonClient.path("/api/messages/", id(read(id)));
    shell.daemon().post(path + "/" + action, JsonTree.object());
    JsonNode message = shell.daemon().read(path);
    if (shell.printsJson(message)) {
      return;
    }
    shell.line(
        "%s %s: %s → %s \"%s\""
            .formatted(
                done,
                id(message),
                message.path("from").asText(),
                message.path("to").asText(),
                TerminalText.cut(message.path("text").asText(), QUOTED)));
  }

  /// Filter options of `message list`.
  static final class MessageFilter {
    @Option(names = "--held", description = "Only messages held by the loop or rate guard.")
    private boolean held;

    @Option(
        names = "--dead",
        description = "Only dead letters and expired messages; with --held, also held messages.")
    private boolean dead;

    @Option(
        names = "--agent",
        paramLabel = "A",
        description = "Only messages from or to this agent.")
    private @Nullable String agent;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "20",
        description = "Number of messages (default: 20).")
    private int limit;

    @Option(
        names = "--before",
        paramLabel = "MESSAGE",
        description = "Only messages before the message with this (full) id.")
    private @Nullable String before;

    JsonNode read(DaemonClient daemon) {
      String target =
          DaemonClient.query(
              "/api/messages",
              "held",
              held ? "true" : null,
              "dead",
              dead ? "true" : null,
              "agent",
              agent);
      return daemon.readPages(target, "messages", "before", before, limit);
    }

    /// True if only held or dead messages are listed.
    boolean isForUndelivered() {
      return held || dead;
    }
  }

  /// Prints a page of messages as a table, with shortened unique ids.
  private record MessagePrinter(JsonNode page) {
    /// Length of the timestamp at the beginning of an id.
    private static final int SHORT_ID = 13;

    private static final int EXCERPT = 100;

    /// With `withReasons`, the last column has the reason instead of the text.
    void print(Terminal screen, boolean withReasons) {
      List<JsonNode> messages = page.path("messages").valueStream().toList();
      int length = shortLength(messages.stream().map(MessagePrinter::id).toList());
      var table =
          TextTable.of("MESSAGE", "SENT", "FROM", "TO", "STATUS", withReasons ? "REASON" : "TEXT");
      for (JsonNode message : messages) {
        table.wholeRow(
            message.has("space") ? inSpace(message) : id(message).substring(0, length),
            RelativeTime.time(message.path("at")),
            message.path("from").asText(),
            message.path("to").asText(),
            message.hasNonNull("held") ? "held" : message.path("status").asText(),
            withReasons
                ? reason(message)
                : TerminalText.cut(message.path("text").asText(), EXCERPT));
      }
      table.printWhole(screen);
      if (page.hasNonNull("next")) {
        screen.note("older messages: add --before " + page.path("next").asText());
      }
    }

    /// The reason why a message is held or dead.
    static String reason(JsonNode message) {
      return message.path(message.hasNonNull("held") ? "held" : "reason").asText("");
    }

    private static String inSpace(JsonNode message) {
      return message.path("space").asText() + "#" + message.path("seq").asText();
    }

    private static String id(JsonNode message) {
      return message.path("message_id").asText();
    }

    /// The shortest length at which the ids are unique.
    private static int shortLength(List<String> ids) {
      int whole = ids.stream().mapToInt(String::length).min().orElse(0);
      int length = Math.min(SHORT_ID, whole);
      while (length < whole && !areDistinct(ids, length)) {
        length++;
      }
      return length;
    }

    private static boolean areDistinct(List<String> ids, int length) {
      return ids.stream().map(id -> id.substring(0, length)).distinct().count() == ids.size();
    }
  }
}
