package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.EventFeed;
import dev.substrat.cli.client.EventFeed.FeedItem;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.watch.EventPrinter;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// Waits for the answer to a message, or for the reason why there is none.
///
/// The event stream is opened before the message is sent, so the answer cannot be missed. The
/// message is read again after every reconnect and every heartbeat: its stored state decides,
/// events only trigger a read.
final class ReplyWait {
  private static final Duration MAX_SILENCE = Duration.ofSeconds(60);

  /// Final states of a message.
  private static final Set<String> SETTLED = Set.of("replied", "dead", "expired");

  /// Events that may change the state of a message.
  private static final Set<String> MILESTONES =
      Set.of("message_sent", "message_replied", "message_dead");

  private static final Duration RETRY_DELAY = Duration.ofMillis(300);

  private final RootCommand shell;
  private final String agent;
  private final Duration timeout;
  private final QuestionNotices questions;
  private final RetryNotices delays;
  private final long start = System.nanoTime();

  ReplyWait(RootCommand shell, String agent, Duration timeout) {
    this.shell = shell;
    this.agent = agent;
    this.timeout = timeout;
    this.questions = new QuestionNotices(shell, agent);
    this.delays = new RetryNotices(shell, agent);
  }

  /// Returns the settled message. If the message answered a question of the agent, no reply follows
  /// and the sent message is returned, with `answers`. `send` may be called again if the connection
  /// to the daemon breaks.
  JsonNode await(Supplier<JsonNode> send) {
    try (var feed = EventFeed.open(shell::daemon, EventFeed.EVERYTHING, null);
        var spinner = new Spinner(shell.terminal(), "sending to " + agent)) {
      JsonNode sent = sent(send);
      if (sent.hasNonNull("answers")) {
        return sent;
      }
      String id = sent.path("message_id").asText();
      spinner.caption("waiting for " + agent);
      return answer(id, feed, spinner);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ErrorCode.TIMEOUT.fault(
          "interrupted", "the answer will arrive in your inbox: ./substrat inbox", e);
    }
  }

  private JsonNode sent(Supplier<JsonNode> send) throws InterruptedException {
    while (true) {
      try {
        return send.get();
      } catch (Fault fault) {
        if (fault.code() != ErrorCode.DAEMON_UNREACHABLE) {
          throw fault;
        }
      }
      // The connection broke between opening the stream and sending. With the same idempotency
      // key the message is stored once.
      remaining("the daemon stopped and did not start again");
      Thread.sleep(RETRY_DELAY);
    }
  }

  private JsonNode answer(String id, EventFeed feed, Spinner spinner) throws InterruptedException {
    var printer = new EventPrinter(ZoneId.systemDefault());
    while (true) {
      boolean isReadDue =
          switch (feed.next(remaining("no answer from " + agent))) {
            case FeedItem.EventReceived(var kind, var event) -> {
              if (event.path("agent").asText().equals(agent)) {
                spinner.caption(printer.sentence(event));
              }
              if (kind.equals("connected") || isQuestion(kind, event)) {
                questions.print(spinner);
              }
              if (hasFailed(kind, event)) {
                delays.print(spinner);
              }
              yield isAbout(id, kind, event);
            }
            case FeedItem.NoEvent _, FeedItem.Reconnected _ -> true;
            case FeedItem.Disconnected _ -> {
              spinner.caption("connection to the daemon lost; reconnecting");
              yield false;
            }
          };
      var settled = isReadDue ? settled(id) : Optional.<JsonNode>empty();
      if (settled.isPresent()) {
        return settled.get();
      }
    }
  }

  private static boolean isQuestion(String kind, JsonNode event) {
    return kind.equals("pending_call")
        && Set.of("pending", "asking").contains(event.path("status").asText());
  }

  private boolean hasFailed(String kind, JsonNode event) {
    return kind.equals("turn_ended")
        && event.path("status").asText().equals("failed")
        && event.path("agent").asText().equals(agent);
  }

  private static boolean isAbout(String id, String kind, JsonNode event) {
    return kind.equals("connected")
        || kind.equals("budget_exhausted")
        || (MILESTONES.contains(kind) && event.path("message_id").asText().equals(id));
  }

  private Optional<JsonNode> settled(String id) {
    JsonNode message;
    try {
      message = shell.daemon().read(DaemonClient.path("/api/messages/", id));
    } catch (Fault fault) {
      if (fault.code().kind() == ErrorCode.ErrorKind.OUTSIDE) {
        return Optional.empty();
      }
      throw fault;
    }
    return SETTLED.contains(message.path("status").asText()) || message.hasNonNull("waits")
        ? Optional.of(message)
        : Optional.empty();
  }

  /// The text of the answer. A fault if the message settled without one.
  String text(JsonNode settled) {
    if (settled.hasNonNull("waits")) {
      throw ErrorCode.BUDGET_EXHAUSTED.fault(
          "%s cannot answer yet: %s".formatted(agent, settled.path("waits").asText()),
          "the message stays queued until a person raises the budget: "
              + shell.command("agent budget " + agent));
    }
    return switch (settled.path("status").asText()) {
      case "replied" -> settled.path("reply").path("text").asText();
      case "expired" -> throw unanswered(ErrorCode.TIMEOUT, "the message to %s expired", settled);
      default -> throw unanswered(ErrorCode.NO_ANSWER, "%s could not answer", settled);
    };
  }

  private Fault unanswered(ErrorCode code, String what, JsonNode settled) {
    String reason = settled.path("reason").asText("");
    return new Fault(
        code,
        what.formatted(agent) + (reason.isEmpty() ? "" : ": " + reason),
        "show the agent's last runs: " + shell.command("run list --agent " + agent));
  }

  private Duration remaining(String otherwise) {
    var left = timeout.minusNanos(System.nanoTime() - start);
    if (!left.isPositive()) {
      throw ErrorCode.TIMEOUT.fault(
          "%s within %s".formatted(otherwise, RelativeTime.span(timeout)),
          delays.sentence().orElse("the agent may wait for a person: ./substrat pending list")
              + "; a late answer arrives in ./substrat inbox; to wait longer, use --timeout");
    }
    return left.compareTo(MAX_SILENCE) < 0 ? left : MAX_SILENCE;
  }

  /// Notices for `send --wait` that the agent waits for a person. Each question is printed once.
  private static final class QuestionNotices {
    private static final int LONGEST = 200;

    private final RootCommand shell;
    private final String agent;
    private final Set<String> printed = new HashSet<>();

    QuestionNotices(RootCommand shell, String agent) {
      this.shell = shell;
      this.agent = agent;
    }

    void print(Spinner spinner) {
      if (shell.wantsJson()) {
        return;
      }
      for (JsonNode call : open()) {
        // Calls for a service are answered by a program, not by the user.
        if (!call.path("forService").asBoolean() && printed.add(call.path("callId").asText())) {
          spinner.note(sentence(call));
        }
      }
    }

    /// Empty on failure: notices are optional, waiting goes on.
    private JsonNode open() {
      try {
        return shell
            .daemon()
            .read(DaemonClient.query("/api/pending", "agent", agent))
            .path("pending");
      } catch (Fault _) {
        return JsonTree.object();
      }
    }

    private String sentence(JsonNode call) {
      String text = call.at("/form/text").asText();
      String what = call.at("/form/title").asText() + (text.isEmpty() ? "" : ": " + text);
      return "%s waits for a person: %s. To answer: %s"
          .formatted(
              agent,
              TerminalText.cut(what, LONGEST),
              shell.command("pending answer " + call.path("callId").asText()));
    }
  }

  /// Notices for `send --wait` that the agent's turn failed and will be retried. Each failure is
  /// printed once.
  private static final class RetryNotices {
    private static final int LONGEST = 200;

    private final RootCommand shell;
    private final String agent;
    private String printed = "";

    RetryNotices(RootCommand shell, String agent) {
      this.shell = shell;
      this.agent = agent;
    }

    void print(Spinner spinner) {
      JsonNode seen = shell.wantsJson() ? JsonTree.object() : readAgent();
      String reason = reason(seen);
      String failure = reason + " " + seen.path("nextTryAt").asText();
      if (seen.hasNonNull("nextTryAt") && !failure.equals(printed)) {
        printed = failure;
        spinner.note(
            "turn of %s failed (%s); next attempt in %s"
                .formatted(agent, reason, left(seen.path("nextTryAt"))));
      }
    }

    /// The current problem of the agent, if any.
    Optional<String> sentence() {
      JsonNode seen = readAgent();
      if (reason(seen).isEmpty()) {
        return Optional.empty();
      }
      String next =
          seen.hasNonNull("nextTryAt")
              ? "; next attempt at " + RelativeTime.time(seen.path("nextTryAt"))
              : "";
      return Optional.of("turn of %s failed (%s)%s".formatted(agent, reason(seen), next));
    }

    private static String reason(JsonNode seen) {
      return TerminalText.cut(seen.path("stateReason").asText(""), LONGEST);
    }

    /// Empty on failure: notices are optional, waiting goes on.
    private JsonNode readAgent() {
      try {
        return shell.daemon().read(DaemonClient.path("/api/agents/", agent));
      } catch (Fault _) {
        return JsonTree.object();
      }
    }

    private static String left(JsonNode time) {
      try {
        var left = Duration.between(Instant.now(), Instant.parse(time.asText()));
        return Math.max(1, left.toSeconds()) + " s";
      } catch (DateTimeException _) {
        return RelativeTime.time(time);
      }
    }
  }
}
