package dev.substrat.provider.agentcli;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.ProcessOutput;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Runs a turn with an agent CLI: one process that gets the prompt, reports its progress and ends.
/// It calls the agent's tools over MCP with the token of the turn.
public final class CliTurn {
  /// Prefix of a failure if the CLI never listed the agent's tools.
  public static final String TOOLS_MISSING = "TOOLS_MISSING";

  private static final Log LOG = Log.of(CliTurn.class);

  /// Time for the CLI to exit after it has reported the end of the turn; some never exit.
  private static final Duration EXIT_TIMEOUT = Duration.ofSeconds(5);

  /// A line may contain a whole file.
  private static final int MAX_LINE_LENGTH = 8 << 20;

  private static final long MAX_OUTPUT_BYTES = 64L << 20;

  /// Length of the error text.
  private static final int LAST_WORDS = 500;

  private final AgentCli cli;
  private final ProviderTurn turn;
  private final CliTurnSetup setup;

  /// End of the output, and end of the diagnostics in it.
  private String lastWords = "";

  private String lastDiagnostics = "";

  CliTurn(AgentCli cli, ProviderTurn turn, CliTurnSetup setup) {
    this.cli = cli;
    this.turn = turn;
    this.setup = setup;
  }

  TurnOutcome run() throws InterruptedException {
    // All events, because the CLI reads them together. Oldest last: calls are numbered from the
    // event that was shown last, and a retried turn contains the oldest again.
    turn.events().reversed().forEach(turn::show);
    turn.beginStep();
    CliConversation known = CliConversation.of(turn);
    try {
      ProcessOutcome first = attempt(known);
      if (known.id().isEmpty() || !first.hasForgotten()) {
        return first.outcome();
      }
      LOG.info(
          "the conversation is lost, starting a new conversation",
          "agent",
          turn.agent().handle(),
          "provider",
          cli.name(),
          "session",
          known.id().get());
      return attempt(CliConversation.NEW).outcome();
    } catch (IOException e) {
      return new TurnOutcome.TurnFailed("cannot start " + cli.name() + ": " + e.getMessage());
    }
  }

  /// Outcome of one process, and whether it failed because its conversation is unknown.
  private record ProcessOutcome(TurnOutcome outcome, boolean hasForgotten) {}

  private ProcessOutcome attempt(CliConversation conversation)
      throws IOException, InterruptedException {
    CliTurnParameters assignment = setup.assignment(turn, conversation.session());
    CliLaunch start = cli.start(assignment);
    CliOutputParser parser = cli.outputParser(assignment);
    lastWords = "";
    lastDiagnostics = "";
    try (var account =
            new CliOutputCollector(cli.counting(), turn, assignment.model(), conversation);
        var child =
            ChildProcess.start(setup.launch(start, assignment.endpoint(), MAX_LINE_LENGTH))) {
      if (start.input() != null) {
        child.send(start.input().getBytes(StandardCharsets.UTF_8));
      }
      child.endInput();
      return switch (listen(child, parser, account)) {
        case ReadEndReason.OutputEnded ended ->
            judge(child.exit(EXIT_TIMEOUT), ended.isMute(), child, account);
        // The reported end of the turn counts, so the process can be killed.
        case ReadEndReason.ProcessStillRunning _ ->
            judge(OptionalInt.empty(), false, child, account);
        case ReadEndReason.OutputLimitReached exceeded ->
            new ProcessOutcome(new TurnOutcome.TurnFailed(exceeded.why()), false);
      };
    }
  }

  /// Why reading the output ended.
  private sealed interface ReadEndReason {
    /// `isMute`: no end of the turn was reported and there is no text; then only the exit code
    /// shows whether the turn succeeded.
    record OutputEnded(boolean isMute) implements ReadEndReason {}

    record ProcessStillRunning() implements ReadEndReason {}

    record OutputLimitReached(String why) implements ReadEndReason {}
  }

  private ReadEndReason listen(
      ChildProcess child, CliOutputParser parser, CliOutputCollector account)
      throws InterruptedException {
    long heard = 0;
    OptionalLong end = OptionalLong.empty();
    while (true) {
      if (end.isEmpty() && account.ended().isPresent()) {
        end = OptionalLong.of(System.nanoTime() + EXIT_TIMEOUT.toNanos());
      }
      switch (next(child, end).orElse(null)) {
        case ProcessOutput.OutputLine line -> {
          heard += line.text().length();
          if (heard > MAX_OUTPUT_BYTES) {
            return new ReadEndReason.OutputLimitReached(
                cli.name() + " wrote more than " + (MAX_OUTPUT_BYTES >> 20) + " MB");
          }
          String said = setup.redact(line.text());
          lastWords = end(lastWords + "\n" + said);
          if (parser.isDiagnostic(said)) {
            lastDiagnostics = end(lastDiagnostics + "\n" + said);
          }
          account.record(parser.parse(said));
        }
        case ProcessOutput.OversizedLine line -> {
          return new ReadEndReason.OutputLimitReached(
              "line %d of %s is longer than %s"
                  .formatted(line.number(), cli.name(), ByteSizeFormatter.words(line.limit())));
        }
        case ProcessOutput.EndOfOutput _ -> {
          boolean hasReportedEnd = account.ended().isPresent();
          account.record(parser.end());
          boolean isEmpty = account.ended().map(last -> last.text().isBlank()).orElse(true);
          return new ReadEndReason.OutputEnded(!hasReportedEnd && isEmpty);
        }
        case null -> {
          return new ReadEndReason.ProcessStillRunning();
        }
      }
    }
  }

  /// The next output; empty after the deadline, also if the process still writes.
  private static Optional<ProcessOutput> next(ChildProcess child, OptionalLong end)
      throws InterruptedException {
    if (end.isEmpty()) {
      return Optional.of(child.take());
    }
    long left = end.getAsLong() - System.nanoTime();
    return left <= 0 ? Optional.empty() : child.take(Duration.ofNanos(left));
  }

  /// The turn succeeded if the CLI says so, its exit code agrees, and it has listed the agent's
  /// tools.
  private ProcessOutcome judge(
      OptionalInt code, boolean isMute, ChildProcess child, CliOutputCollector account)
      throws InterruptedException {
    ProviderEvent.TurnEnded end = account.ended().orElse(null);
    boolean endedBadly = code.isPresent() ? code.getAsInt() != 0 : isMute;
    if (end != null && end.ok() && !endedBadly) {
      return new ProcessOutcome(
          turn.hasReachedTools()
              ? new TurnOutcome.TurnFinished(end.text())
              : missing("it reported success"),
          false);
    }
    String what = cli.name() + " " + what(code, end);
    String complaints = child.lastWords();
    // Only the CLI's own messages are classified: a text of a model or a tool may mention a 401 or
    // a session that was not found.
    String own =
        what + part("stderr", complaints) + part("stdout", end == null ? lastDiagnostics : "");
    String limit = setup.limitReached(child, code, lastWords + complaints);
    String reason = what + limit + part("stdout", printed(end)) + part("stderr", complaints);
    TurnOutcome outcome = CliError.outcome(cli.name(), own, reason, account.hasCost());
    boolean isUnclear = outcome instanceof TurnOutcome.TurnFailed && !turn.hasReachedTools();
    return new ProcessOutcome(isUnclear ? missing(reason) : outcome, cli.isUnknownSession(own));
  }

  private static String what(OptionalInt code, ProviderEvent.@Nullable TurnEnded end) {
    if (end != null && !end.ok()) {
      return "failed: " + end.text();
    }
    boolean hasAnswered = end != null && !end.text().isBlank();
    return (code.isPresent() ? "exited with code " + code.getAsInt() : "closed its output")
        + (hasAnswered ? " after its answer" : " without a result");
  }

  /// Some CLIs write errors to stdout.
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

  private TurnOutcome missing(String how) {
    return new TurnOutcome.TurnFailed(
        TOOLS_MISSING + ": " + cli.name() + " never listed the agent's tools; " + how);
  }
}
