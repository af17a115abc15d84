package dev.substrat.cli.message;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.shell.RelativeTime;
import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.watch.EventPrinter;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.cli.wire.EventFeed;
import dev.substrat.cli.wire.EventFeed.FeedItem;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The end of one message, waited for: its answer, or why there is none.
///
/// The event stream is open before the message is sent, so the answer cannot pass unseen. The
/// message itself is looked at after every gap and every heartbeat: its stored state is the truth,
/// the events only say when to look.
final class ReplyWait {
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  /// Nothing more happens to a message after one of these.
  private static final Set<String> SETTLED = Set.of("replied", "dead", "expired");

  /// What may have changed what is known about a message.
  private static final Set<String> MILESTONES =
      Set.of("message_sent", "message_replied", "message_dead");

  private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

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

  /// The settled message; or, if it answered a question of the agent's, the message as it was sent:
  /// it has `answers`, and no reply comes. It is sent with `send`, which may be called again if the
  /// daemon goes away in the middle of it.
  JsonNode await(Supplier<JsonNode> send) {
    try (var feed = EventFeed.open(shell::daemon, EventFeed.EVERYTHING, null);
        var spinner = new Spinner(shell.screen(), "sending to " + agent)) {
      JsonNode sent = sent(send);
      if (sent.hasNonNull("answers")) {
        return sent;
      }
      String id = sent.path("message_id").asText();
      spinner.caption("waiting for " + agent);
      return answer(id, feed, spinner);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault(ErrorCode.TIMEOUT, "interrupted", "look later: ./substrat inbox", e);
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
      // The daemon went away between opening the stream and sending. The same key makes sure that
      // the message is stored once, however often this is tried.
      patience("the daemon went away and did not come back");
      Thread.sleep(BETWEEN_TRIES);
    }
  }

  private JsonNode answer(String id, EventFeed feed, Spinner spinner) throws InterruptedException {
    var narrator = new EventPrinter(ZoneId.systemDefault());
    while (true) {
      boolean look =
          switch (feed.next(patience("no answer from " + agent))) {
            case FeedItem.EventReceived(var kind, var event) -> {
              if (event.path("agent").asText().equals(agent)) {
                spinner.caption(narrator.sentence(event));
              }
              if (kind.equals("connected") || isQuestion(kind, event)) {
                questions.tell(spinner);
              }
              if (hasFailed(kind, event)) {
                delays.tell(spinner);
              }
              yield isAbout(id, kind, event);
            }
            case FeedItem.Idle _, FeedItem.Reconnected _ -> true;
            case FeedItem.Disconnected _ -> {
              spinner.caption("the daemon went away; waiting for it");
              yield false;
            }
          };
      var settled = look ? settled(id) : Optional.<JsonNode>empty();
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
      if (fault.code().kind() == ErrorCode.Kind.OUTSIDE) {
        return Optional.empty();
      }
      throw fault;
    }
    return SETTLED.contains(message.path("status").asText()) || message.hasNonNull("waits")
        ? Optional.of(message)
        : Optional.empty();
  }

  /// The text of the answer; a message that settled without one is a fault.
  String text(JsonNode settled) {
    if (settled.hasNonNull("waits")) {
      throw new Fault(
          ErrorCode.BUDGET_EXHAUSTED,
          "%s cannot answer for now: %s".formatted(agent, settled.path("waits").asText()),
          "the message waits; see whose budget it is and raise it: "
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
        "look at its last runs: " + shell.command("run list --agent " + agent));
  }

  private Duration patience(String otherwise) {
    var left = timeout.minusNanos(System.nanoTime() - start);
    if (!left.isPositive()) {
      throw new Fault(
          ErrorCode.TIMEOUT,
          "%s within %s".formatted(otherwise, RelativeTime.span(timeout)),
          delays.sentence().orElse("perhaps it waits for somebody: ./substrat pending list")
              + "; a later answer comes to ./substrat inbox; --timeout waits longer");
    }
    return left.compareTo(LONGEST_SILENCE) < 0 ? left : LONGEST_SILENCE;
  }
}
