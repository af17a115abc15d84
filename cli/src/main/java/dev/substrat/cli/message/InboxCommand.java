package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Shows messages from agents to the caller.
@Command(
    description = "Show the messages in your inbox, newest last, and mark them as read.",
    footer = {
      "  ./substrat inbox",
      "  ./substrat inbox --unread         # only unread messages",
      "  ./substrat inbox --peek --json    # do not mark messages as read",
      ""
    })
public final class InboxCommand implements Runnable {
  /// Page size of the daemon.
  private static final int MAX_COUNT = 200;

  /// Maximum width of a quoted question.
  private static final int QUESTION = 40;

  /// Long enough to distinguish ids of messages sent within a minute.
  private static final int SHORT_ID = 13;

  private final RootCommand shell;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "Number of messages, 1 to 200 (default: 20).")
  private int limit = 20;

  @Option(names = "--unread", description = "Only unread messages, oldest first.")
  private boolean onlyUnread;

  @Option(names = "--peek", description = "Do not mark messages as read.")
  private boolean peek;

  public InboxCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (limit < 1 || limit > MAX_COUNT) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--limit must be 1 to %d, not %d".formatted(MAX_COUNT, limit),
          "omit --limit for the default, 20");
    }
    JsonNode inbox = fetch(limit);
    if (!shell.printsJson(inbox)) {
      print(inbox);
    }
    JsonNode last = inbox.path("messages").path(inbox.path("messages").size() - 1);
    // Marks all messages up to the last as read, so only if no older unread message was left out.
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
      shell.line(
          onlyUnread
              ? "no unread messages; show all: " + shell.command("inbox")
              : "no messages; write to an agent: ./substrat send AGENT TEXT");
      return;
    }
    var table = TextTable.of("", "AT", "FROM", "TEXT");
    messages.forEach(message ->
        table.wholeRow(
            isUnread(message) ? "*" : "",
            RelativeTime.time(message.path("at")),
            message.path("from").asText(),
            answerPrefix(message) + message.path("text").asText()));
    table.printWhole(shell.terminal());
    long left = unreadLeft(inbox);
    if (left > 0) {
      shell.note(left + " more unread messages; to show them: " + shell.command("inbox --unread"));
    } else if (!onlyUnread && messages.size() == limit && limit < MAX_COUNT) {
      shell.note(
          "there may be older messages; to show them: "
              + shell.command("inbox --limit " + MAX_COUNT));
    }
  }

  /// Prefix that quotes the question a message answers; empty if it answers none.
  private String answerPrefix(JsonNode message) {
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

  /// Text of the question; empty if it cannot be read.
  private String question(String id) {
    try {
      return shell.daemon().read(DaemonClient.path("/api/messages/", id)).path("text").asText("");
    } catch (Fault _) {
      return "";
    }
  }

  /// Number of unread messages that were not shown.
  private static long unreadLeft(JsonNode inbox) {
    long shown = inbox.path("messages").valueStream().filter(InboxCommand::isUnread).count();
    return inbox.path("unread").asLong() - shown;
  }

  private static boolean isUnread(JsonNode message) {
    return !message.path("read").asBoolean();
  }

  /// Without a start position the daemon returns the newest messages, oldest first.
  private JsonNode fetch(int count) {
    return shell
        .daemon()
        .read(
            onlyUnread
                ? DaemonClient.query("/api/inbox", "limit", String.valueOf(count), "unread", "true")
                : DaemonClient.query("/api/inbox", "limit", String.valueOf(count)));
  }
}
