package dev.substrat.cli.doctor;

import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Spinner;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.shell.Timespan;
import dev.substrat.cli.wire.Daemon;
import dev.substrat.cli.wire.Json;
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

/// Looks at this machine and says what works, what does not, and what to do about it.
@Command(
    description = "Check this machine: JDK, data directory, sandbox, what can think for agents.",
    footer = {
      "  ./substrat doctor",
      "  ./substrat doctor --json",
      "  ./substrat doctor --round-trip goose        # one real question, with a tool call over"
          + " MCP",
      "  ./substrat doctor --round-trip mira.yaml    # the same with the provider of that file",
      "  ./substrat doctor --round-trip ollama --timeout 10m",
      ""
    })
public final class DoctorCommand implements Callable<Integer> {
  @Option(
      names = "--round-trip",
      paramLabel = "P",
      description = "Prove that this provider, or the one in this file, calls a tool; repeatable.")
  private List<String> roundTrips = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Timespan.class,
      description = "How long a round trip may take (default: what the file says, or 3m).")
  private @Nullable Duration timeout;

  private final Shell shell;

  public DoctorCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    shell.requireLocal("doctor", "this machine, which it checks");
    var findings = new ArrayList<>(examine());
    if (!shell.wantsJson()) {
      print(shell.screen(), findings);
    }
    for (String wanted : roundTrips) {
      findings.add(prove(wanted));
      if (!shell.wantsJson()) {
        shell.screen().line("");
        print(shell.screen(), findings.getLast());
      }
    }
    if (shell.wantsJson()) {
      printJson(findings);
    }
    boolean broken = findings.stream().anyMatch(f -> f.state() == Finding.State.BROKEN);
    return broken ? ErrorCode.Kind.OUTSIDE.exitCode() : 0;
  }

  private Finding prove(String wanted) {
    try {
      Trial trial = Trial.of(wanted, timeout);
      var trip = new RoundTrip(Daemon.in(shell.data()), trial);
      return shell.wantsJson() ? trip.prove() : visibly(trip, trial);
    } catch (Fault fault) {
      return Finding.broken("trip " + wanted, fault.message(), fault.hint());
    }
  }

  /// It may take minutes: whoever waits is told for what, and how long at most.
  private Finding visibly(RoundTrip trip, Trial trial) {
    String name = Plain.line(trial.name());
    shell
        .screen()
        .note("round trip with %s … (at most %d s)".formatted(name, trial.patience().toSeconds()));
    try (var _ = new Spinner(shell.screen(), "waiting for " + name)) {
      return trip.prove();
    }
  }

  /// All at once, because each tool may take seconds to tell its version.
  private List<Finding> examine() throws InterruptedException {
    var checks = new ArrayList<>(ToolChecks.all());
    checks.addAll(1, new DaemonChecks(shell.data()).all());
    Optional<List<Finding>> providers = ProviderChecks.of(shell.data());
    if (providers.isEmpty()) {
      checks.addAll(ToolChecks.agents());
    }
    var findings = new ArrayList<Finding>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Finding> finding : threads.invokeAll(checks)) {
        findings.add(outcome(finding));
      }
    }
    providers.ifPresent(findings::addAll);
    // What is not there and need not be comes last; the sort keeps the order of the rest.
    findings.sort(Comparator.comparing(DoctorCommand::isOptional));
    return findings;
  }

  private static boolean isOptional(Finding finding) {
    return finding.state() == Finding.State.OPTIONAL;
  }

  private static Finding outcome(Future<Finding> finding) throws InterruptedException {
    try {
      return finding.get();
    } catch (ExecutionException e) {
      return Finding.broken(
          "check", String.valueOf(e.getCause()), "this check itself failed; please report it");
    }
  }

  private static void print(Screen screen, List<Finding> findings) {
    boolean heading = false;
    for (Finding finding : findings) {
      if (isOptional(finding) && !heading) {
        screen.line("");
        screen.line("Not here, and nobody needs it yet:");
        heading = true;
      }
      print(screen, finding);
    }
  }

  private static void print(Screen screen, Finding finding) {
    String state = "%-10s".formatted(word(finding));
    screen.line(
        style(finding).paint(state, screen.hasColours())
            + "%-15s ".formatted(Plain.line(finding.name()))
            + Plain.line(finding.detail()));
    if (!finding.hint().isEmpty()) {
      screen.line(
          Style.FAINT.paint(" ".repeat(26) + Plain.line(finding.hint()), screen.hasColours()));
    }
  }

  private static Style style(Finding finding) {
    return switch (finding.state()) {
      case OK -> Style.GOOD;
      case WARN -> Style.DOUBTFUL;
      case MISSING -> Style.DOUBTFUL;
      case OPTIONAL -> Style.FAINT;
      case BROKEN -> Style.BAD;
    };
  }

  private static String word(Finding finding) {
    return finding.state().name().toLowerCase(Locale.ROOT);
  }

  private void printJson(List<Finding> findings) {
    var json = Json.object();
    var list = json.putArray("checks");
    for (Finding finding : findings) {
      list.addObject()
          .put("state", word(finding))
          .put("name", finding.name())
          .put("detail", finding.detail())
          .put("hint", finding.hint());
    }
    shell.screen().json(json);
  }
}
