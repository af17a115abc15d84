package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.shell.TextTable;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// What agents wrote to the operator.
@Command(
    description = "Show what agents wrote to you, the newest at the end; what is shown is read.",
    footer = {
      "  ./substrat inbox",
      "  ./substrat inbox --unread         # only what you have not seen",
      "  ./substrat inbox --peek --json    # look without marking anything as read",
      ""
    })
public final class InboxCommand implements Runnable {
  /// As many as the daemon lists at once.
  private static final int MOST = 200;

  /// The columns that the beginning of a question gets.
  private static final int QUESTION = 40;

  /// Ids of messages that were sent within a minute differ after their first group.
  private static final int SHORT_ID = 13;

  private final RootCommand shell;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many messages (default: 20).")
  private int limit = 20;

  @Option(names = "--unread", description = "Only what you have not read yet, oldest first.")
  private boolean onlyUnread;

  @Option(names = "--peek", description = "Leave everything unread that is.")
  private boolean peek;

  public InboxCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (limit < 1 || limit > MOST) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "--limit must be 1 to %d, not %d".formatted(MOST, limit),
          "leave it out for 20");
    }
    JsonNode inbox = fetch(limit);
    if (shell.wantsJson()) {
      shell.screen().json(inbox);
    } else {
      print(inbox);
    }
    JsonNode last = inbox.path("messages").path(inbox.path("messages").size() - 1);
    // Reading goes up to a message: it must not take along older ones that were not shown.
    if (!peek && last.isObject() && (onlyUnread || unreadLeft(inbox) == 0)) {
      shell
          .daemon()
          .post(
              "/api/inbox/read", JsonTree.object().put("up_to", last.path("message_id").asText()));
    }
  }

  private void print(JsonNode inbox) {
    JsonNode messages = inbox.path("messages");
    if (messages.isEmpty()) {
      shell
          .screen()
          .line(
              onlyUnread
                  ? "nothing new; all of it: " + shell.command("inbox")
                  : "nothing in your inbox; write to an agent: ./substrat send AGENT TEXT");
      return;
    }
    var table = TextTable.of("", "AT", "FROM", "TEXT");
    messages.forEach(message ->
        table.wholeRow(
            isUnread(message) ? "*" : "",
            RelativeTime.time(message.path("at")),
            message.path("from").asText(),
            answered(message) + message.path("text").asText()));
    table.printWhole(shell.screen());
    long left = unreadLeft(inbox);
    if (left > 0) {
      shell.screen().note(left + " more unread; see them: " + shell.command("inbox --unread"));
    } else if (!onlyUnread && messages.size() == limit && limit < MOST) {
      shell
          .screen()
          .note("there may be older ones; see them: " + shell.command("inbox --limit " + MOST));
    }
  }

  /// The question that a message answers, if it answers one.
  private String answered(JsonNode message) {
    String id = message.path("in_reply_to").asText("");
    if (id.isEmpty()) {
      return "";
    }
    String shortId = id.length() <= SHORT_ID ? id : id.substring(0, SHORT_ID) + "…";
    String question = TerminalText.cut(question(id), QUESTION);
    return question.isEmpty()
        ? "answer to %s: ".formatted(shortId)
        : "answer to \"%s\" (%s): ".formatted(question, shortId);
  }

  /// Its text; empty if it cannot be read, which is no reason to show no inbox.
  private String question(String id) {
    try {
      return shell.daemon().read(DaemonClient.path("/api/messages/", id)).path("text").asText("");
    } catch (Fault _) {
      return "";
    }
  }

  /// How much is unread and was not among these.
  private static long unreadLeft(JsonNode inbox) {
    long shown = inbox.path("messages").valueStream().filter(InboxCommand::isUnread).count();
    return inbox.path("unread").asLong() - shown;
  }

  private static boolean isUnread(JsonNode message) {
    return !message.path("read").asBoolean();
  }

  /// Without a place to start from the daemon gives the newest, oldest of them first.
  private JsonNode fetch(int count) {
    return shell
        .daemon()
        .read(
            onlyUnread
                ? DaemonClient.query("/api/inbox", "limit", String.valueOf(count), "unread", "true")
                : DaemonClient.query("/api/inbox", "limit", String.valueOf(count)));
  }
}
