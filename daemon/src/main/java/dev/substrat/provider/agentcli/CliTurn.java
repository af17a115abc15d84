package dev.substrat.provider.agentcli;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Output;
import dev.substrat.protocol.Bytes;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A turn whose mind is an agent CLI: one process that is told what is new, says what it does, and
/// ends. Its tools it calls over MCP, with the turn's own token.
public final class CliTurn {
  /// What a turn's reason begins with if its mind never had its tools.
  public static final String TOOLS_MISSING = "TOOLS_MISSING";

  private static final Log LOG = Log.of(CliTurn.class);

  /// How long a CLI may take to end after it has said how the turn ended; some never do.
  private static final Duration FAREWELL = Duration.ofSeconds(5);

  /// A line may have a whole file in it.
  private static final int LONGEST_LINE = 8 << 20;

  private static final long MOST_OUTPUT = 64L << 20;

  /// How much of what it printed is kept as its last words.
  private static final int LAST_WORDS = 500;

  private final AgentCli cli;
  private final ProviderTurn turn;
  private final CliTurnSetup seat;

  /// The last of all it printed, and of what it printed beside what it said.
  private String lastWords = "";

  private String lastAsides = "";

  CliTurn(AgentCli cli, ProviderTurn turn, CliTurnSetup seat) {
    this.cli = cli;
    this.turn = turn;
    this.seat = seat;
  }

  Outcome think() throws InterruptedException {
    // All of them, because it reads them all at once. The oldest last: calls are numbered from the
    // event that was shown last, and the oldest is the one a retried turn has again.
    turn.events().reversed().forEach(turn::show);
    turn.beginStep();
    CliConversation known = CliConversation.of(turn);
    try {
      Ending first = attempt(known);
      if (known.id().isEmpty() || !first.hasForgotten()) {
        return first.outcome();
      }
      LOG.info(
          "a conversation is lost; a new one begins",
          "agent",
          turn.agent().handle(),
          "provider",
          cli.name(),
          "session",
          known.id().get());
      return attempt(CliConversation.NEW).outcome();
    } catch (IOException e) {
      return new Outcome.Failed(cli.name() + " cannot be started: " + e.getMessage());
    }
  }

  /// How one process ended, and whether it was because it did not know its conversation.
  private record Ending(Outcome outcome, boolean hasForgotten) {}

  private Ending attempt(CliConversation conversation) throws IOException, InterruptedException {
    CliAssignment assignment = seat.assignment(turn, conversation.session());
    CliLaunch start = cli.start(assignment);
    CliOutputParser hearing = cli.outputParser(assignment);
    lastWords = "";
    lastAsides = "";
    try (var account = new CliRunRecord(cli.counting(), turn, assignment.model(), conversation);
        var child = ChildProcess.start(seat.launch(start, assignment.door(), LONGEST_LINE))) {
      if (start.input() != null) {
        child.send(start.input().getBytes(StandardCharsets.UTF_8));
      }
      child.endInput();
      return switch (listen(child, hearing, account)) {
        case Silence.Ended ended -> judge(child.exit(FAREWELL), ended.isMute(), child, account);
        // It has said how the turn ended, and that is what counts; it is killed without harm.
        case Silence.StillRunning _ -> judge(OptionalInt.empty(), false, child, account);
        case Silence.OutputLimit abused -> new Ending(new Outcome.Failed(abused.why()), false);
      };
    }
  }

  /// Why nobody listens to it any more.
  private sealed interface Silence {
    /// Mute, if it never said how the turn ended and left no answer either: then nothing but its
    /// exit code can tell that there was nothing to say.
    record Ended(boolean isMute) implements Silence {}

    record StillRunning() implements Silence {}

    record OutputLimit(String why) implements Silence {}
  }

  private Silence listen(ChildProcess child, CliOutputParser hearing, CliRunRecord account)
      throws InterruptedException {
    long heard = 0;
    OptionalLong end = OptionalLong.empty();
    while (true) {
      if (end.isEmpty() && account.ended().isPresent()) {
        end = OptionalLong.of(System.nanoTime() + FAREWELL.toNanos());
      }
      switch (next(child, end).orElse(null)) {
        case Output.Line line -> {
          heard += line.text().length();
          if (heard > MOST_OUTPUT) {
            return new Silence.OutputLimit(
                cli.name() + " said more than " + (MOST_OUTPUT >> 20) + " MB");
          }
          String said = seat.redact(line.text());
          lastWords = end(lastWords + "\n" + said);
          if (hearing.isDiagnostic(said)) {
            lastAsides = end(lastAsides + "\n" + said);
          }
          account.record(hearing.parse(said));
        }
        case Output.TooLong line -> {
          return new Silence.OutputLimit(
              "line %d of %s is longer than %s"
                  .formatted(line.number(), cli.name(), Bytes.words(line.limit())));
        }
        case Output.End _ -> {
          boolean hasSaidHow = account.ended().isPresent();
          account.record(hearing.end());
          boolean isEmpty = account.ended().map(last -> last.text().isBlank()).orElse(true);
          return new Silence.Ended(!hasSaidHow && isEmpty);
        }
        case null -> {
          return new Silence.StillRunning();
        }
      }
    }
  }

  /// What it says next; nothing if its time is over. Whoever goes on talking has no more of it.
  private static Optional<Output> next(ChildProcess child, OptionalLong end)
      throws InterruptedException {
    if (end.isEmpty()) {
      return Optional.of(child.take());
    }
    long left = end.getAsLong() - System.nanoTime();
    return left <= 0 ? Optional.empty() : child.take(Duration.ofNanos(left));
  }

  /// Its last word and its exit code must agree, and it must have had its tools.
  private Ending judge(OptionalInt code, boolean isMute, ChildProcess child, CliRunRecord account)
      throws InterruptedException {
    ProviderEvent.TurnEnded end = account.ended().orElse(null);
    boolean endedBadly = code.isPresent() ? code.getAsInt() != 0 : isMute;
    if (end != null && end.ok() && !endedBadly) {
      return new Ending(
          turn.hasReachedTools() ? new Outcome.Finished(end.text()) : missing("it ended well"),
          false);
    }
    String what = cli.name() + " " + what(code, end);
    String complaints = child.lastWords();
    // Only its own words decide what becomes of the turn: what a model or a tool has written may
    // be about somebody's 401 or a session that was not found.
    String own = what + part("stderr", complaints) + part("stdout", end == null ? lastAsides : "");
    String limit = seat.limitReached(child, code, lastWords + complaints);
    String reason = what + limit + part("stdout", printed(end)) + part("stderr", complaints);
    Outcome outcome = CliError.outcome(cli.name(), own, reason, account.hasCost());
    boolean isUnclear = outcome instanceof Outcome.Failed && !turn.hasReachedTools();
    return new Ending(isUnclear ? missing(reason) : outcome, cli.isUnknownSession(own));
  }

  private static String what(OptionalInt code, ProviderEvent.@Nullable TurnEnded end) {
    if (end != null && !end.ok()) {
      return "failed: " + end.text();
    }
    boolean hasAnswered = end != null && !end.text().isBlank();
    return (code.isPresent() ? "exited with code " + code.getAsInt() : "closed its output")
        + (hasAnswered ? " after it had ended" : " without a result");
  }

  /// Some complain where others answer: what was printed last is kept, whatever it is.
  private String printed(ProviderEvent.@Nullable TurnEnded end) {
    if (end == null) {
      return lastWords;
    }
    return end.ok() ? end(end.text()) : "";
  }

  private static String part(String where, String words) {
    return words.isBlank() ? "" : "; " + where + ": " + words.strip();
  }

  private static String end(String text) {
    return text.length() <= LAST_WORDS ? text : text.substring(text.length() - LAST_WORDS);
  }

  private Outcome missing(String how) {
    return new Outcome.Failed(
        TOOLS_MISSING + ": " + cli.name() + " has never asked for its agent's tools; " + how);
  }
}
