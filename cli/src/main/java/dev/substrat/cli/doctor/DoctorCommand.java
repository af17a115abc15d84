package dev.substrat.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.DurationConverter;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Spinner;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
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
      "  ./substrat doctor --round-trip goose        # ask one question that needs a tool call over"
          + " MCP",
      "  ./substrat doctor --round-trip mira.yaml    # use the provider settings in this file",
      "  ./substrat doctor --round-trip ollama --timeout 10m",
      ""
    })
public final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--round-trip",
      paramLabel = "P",
      description =
          "Test that this provider can call a tool: provider name, or file with its settings;"
              + " repeatable.")
  private List<String> roundTrips = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "Time limit for each --round-trip, such as 90s (default: maxTurnSeconds of the file, or"
              + " 3m).")
  private @Nullable Duration timeout;

  private final RootCommand shell;

  public DoctorCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    shell.requireLocal("doctor", "access to the machine that it checks");
    var findings = new ArrayList<>(runChecks());
    if (!shell.wantsJson()) {
      print(shell.terminal(), findings);
    }
    for (String wanted : roundTrips) {
      findings.add(roundTrip(wanted));
      if (!shell.wantsJson()) {
        shell.line("");
        print(shell.terminal(), findings.getLast());
      }
    }
    if (shell.wantsJson()) {
      printJson(findings);
    }
    boolean broken = findings.stream().anyMatch(f -> f.state() == CheckResult.CheckState.BROKEN);
    return broken ? ErrorCode.ErrorKind.OUTSIDE.exitCode() : 0;
  }

  private CheckResult roundTrip(String wanted) {
    try {
      McpRoundTrip.ProviderTrial trial = McpRoundTrip.ProviderTrial.of(wanted, timeout);
      var trip = new McpRoundTrip(DaemonClient.in(shell.data()), trial);
      return shell.wantsJson() ? trip.prove() : roundTripWithProgress(trip, trial);
    } catch (Fault fault) {
      return CheckResult.broken("trip " + wanted, fault.message(), fault.hint());
    }
  }

  /// Shows progress and the time limit, because a round trip may take minutes.
  private CheckResult roundTripWithProgress(McpRoundTrip trip, McpRoundTrip.ProviderTrial trial) {
    String name = TerminalText.line(trial.name());
    shell.note("round trip with %s … (at most %d s)".formatted(name, trial.timeout().toSeconds()));
    try (var _ = new Spinner(shell.terminal(), "waiting for " + name)) {
      return trip.prove();
    }
  }

  /// Runs all checks in parallel, because each program may take seconds to print its version.
  private List<CheckResult> runChecks() throws InterruptedException {
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
    return finding.state() == CheckResult.CheckState.OPTIONAL;
  }

  private static CheckResult outcome(Future<CheckResult> finding) throws InterruptedException {
    try {
      return finding.get();
    } catch (ExecutionException e) {
      return CheckResult.broken(
          "check", String.valueOf(e.getCause()), "the check failed with a bug; please report it");
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

  /// Checks of the providers, as the daemon reports them, because the daemon starts them.
  private static final class ProviderChecks {
    private ProviderChecks() {}

    /// Empty if no daemon runs, or an older one.
    static Optional<List<CheckResult>> of(Path data) {
      JsonNode providers;
      try {
        providers = DaemonClient.in(data).read("/api/providers").path("providers");
      } catch (Fault _) {
        return Optional.empty();
      }
      var findings = new ArrayList<CheckResult>();
      providers.forEach(provider -> findings.add(finding(provider)));
      return Optional.of(findings);
    }

    private static CheckResult finding(JsonNode provider) {
      String name = provider.path("name").asText();
      String detail = provider.path("detail").asText();
      String hint = provider.path("hint").asText("");
      String state = provider.path("state").asText();
      if (state.equals("ready")) {
        return CheckResult.ok(
            name, provider.has("version") ? provider.path("version").asText() : detail);
      }
      // If only a login is missing, the detail names the agents without one.
      return state.equals("needs_login") && !provider.path("withoutLogin").isEmpty()
          ? CheckResult.warn(name, detail, hint)
          : missing(provider, name, detail, hint);
    }

    /// A warning if agents need the provider, otherwise optional.
    private static CheckResult missing(JsonNode provider, String name, String detail, String hint) {
      String needy = handles(provider.path("agents"));
      String others = handles(provider.path("agentsWithOwn"));
      if (!needy.isEmpty()) {
        return CheckResult.warn(name, detail + "; agents that need this provider: " + needy, hint);
      }
      return others.isEmpty()
          ? new CheckResult(
              CheckResult.CheckState.OPTIONAL,
              name,
              detail,
              hint.isEmpty() ? "install it, or use another provider for these agents" : hint)
          : CheckResult.ok(name, "not found on this machine; configured per agent: " + others);
    }

    private static String handles(JsonNode agents) {
      return JsonTree.words(agents);
    }
  }
}
