package dev.substrat.cli.doctor;

import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.cli.terminal.TimespanText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Checks this machine and prints what works, what does not, and how to fix it.
@Command(
    description = "Check this machine: JDK, data directory, daemon, sandbox, providers.",
    footer = {
      "  ./substrat doctor",
      "  ./substrat doctor --json",
      "  ./substrat doctor --round-trip goose        # one real question, with a tool call over"
          + " MCP",
      "  ./substrat doctor --round-trip mira.yaml    # the same with the provider in this file",
      "  ./substrat doctor --round-trip ollama --timeout 10m",
      ""
    })
public final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--round-trip",
      paramLabel = "P",
      description =
          "Test that a provider calls a tool: its name, or a file with its settings; repeatable.")
  private List<String> roundTrips = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = TimespanText.class,
      description =
          "Limit for each round trip: 90s, 10m (default: maxTurnSeconds of the file, or 3m).")
  private @Nullable Duration timeout;

  private final RootCommand shell;

  public DoctorCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    shell.requireLocal("doctor", "access to the machine it checks");
    var findings = new ArrayList<>(examine());
    if (!shell.wantsJson()) {
      print(shell.terminal(), findings);
    }
    for (String wanted : roundTrips) {
      findings.add(prove(wanted));
      if (!shell.wantsJson()) {
        shell.terminal().line("");
        print(shell.terminal(), findings.getLast());
      }
    }
    if (shell.wantsJson()) {
      printJson(findings);
    }
    boolean broken = findings.stream().anyMatch(f -> f.state() == CheckResult.State.BROKEN);
    return broken ? ErrorCode.Kind.OUTSIDE.exitCode() : 0;
  }

  private CheckResult prove(String wanted) {
    try {
      ProviderTrial trial = ProviderTrial.of(wanted, timeout);
      var trip = new McpRoundTrip(DaemonClient.in(shell.data()), trial);
      return shell.wantsJson() ? trip.prove() : proveWithProgress(trip, trial);
    } catch (Fault fault) {
      return CheckResult.broken("trip " + wanted, fault.message(), fault.hint());
    }
  }

  /// Shows progress and the time limit, because a round trip may take minutes.
  private CheckResult proveWithProgress(McpRoundTrip trip, ProviderTrial trial) {
    String name = TerminalText.line(trial.name());
    shell
        .terminal()
        .note("round trip with %s … (at most %d s)".formatted(name, trial.timeout().toSeconds()));
    try (var _ = new Spinner(shell.terminal(), "waiting for " + name)) {
      return trip.prove();
    }
  }

  /// Runs all checks in parallel, because each program may take seconds to print its version.
  private List<CheckResult> examine() throws InterruptedException {
    var checks = new ArrayList<>(ToolChecks.all());
    checks.addAll(1, new DaemonChecks(shell.data()).all());
    Optional<List<CheckResult>> providers = ProviderChecks.of(shell.data());
    if (providers.isEmpty()) {
      checks.addAll(ToolChecks.agents());
    }
    var findings = new ArrayList<CheckResult>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<CheckResult> finding : threads.invokeAll(checks)) {
        findings.add(outcome(finding));
      }
    }
    providers.ifPresent(findings::addAll);
    // Optional checks come last; the sort is stable.
    findings.sort(Comparator.comparing(DoctorCommand::isOptional));
    return findings;
  }

  private static boolean isOptional(CheckResult finding) {
    return finding.state() == CheckResult.State.OPTIONAL;
  }

  private static CheckResult outcome(Future<CheckResult> finding) throws InterruptedException {
    try {
      return finding.get();
    } catch (ExecutionException e) {
      return CheckResult.broken(
          "check", String.valueOf(e.getCause()), "this check itself failed; please report it");
    }
  }

  private static void print(Terminal screen, List<CheckResult> findings) {
    boolean heading = false;
    for (CheckResult finding : findings) {
      if (isOptional(finding) && !heading) {
        screen.line("");
        screen.line("Optional:");
        heading = true;
      }
      print(screen, finding);
    }
  }

  private static void print(Terminal screen, CheckResult finding) {
    String state = "%-10s".formatted(word(finding));
    screen.line(
        style(finding).paint(state, screen.hasColours())
            + "%-15s ".formatted(TerminalText.line(finding.name()))
            + TerminalText.line(finding.detail()));
    if (!finding.hint().isEmpty()) {
      screen.line(
          TextStyle.FAINT.paint(
              " ".repeat(26) + TerminalText.line(finding.hint()), screen.hasColours()));
    }
  }

  private static TextStyle style(CheckResult finding) {
    return switch (finding.state()) {
      case OK -> TextStyle.GOOD;
      case WARN -> TextStyle.DOUBTFUL;
      case MISSING -> TextStyle.DOUBTFUL;
      case OPTIONAL -> TextStyle.FAINT;
      case BROKEN -> TextStyle.BAD;
    };
  }

  private static String word(CheckResult finding) {
    return finding.state().name().toLowerCase(Locale.ROOT);
  }

  private void printJson(List<CheckResult> findings) {
    var json = JsonTree.object();
    var list = json.putArray("checks");
    for (CheckResult finding : findings) {
      list.addObject()
          .put("state", word(finding))
          .put("name", finding.name())
          .put("detail", finding.detail())
          .put("hint", finding.hint());
    }
    shell.terminal().json(json);
  }
}
