package dev.substrat.cli.doctor;

import dev.substrat.cli.shell.Plain;
import dev.substrat.cli.shell.Screen;
import dev.substrat.cli.shell.Shell;
import dev.substrat.cli.shell.Style;
import dev.substrat.cli.wire.Json;
import dev.substrat.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine.Command;

/// Looks at this machine and says what works, what does not, and what to do about it.
@Command(
    description = "Check this machine: JDK, data directory, sandbox, agent tools.",
    footer = {"  ./substrat doctor", "  ./substrat doctor --json", ""})
public final class DoctorCommand implements Callable<Integer> {
  private final Shell shell;

  public DoctorCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<Finding> findings = examine();
    if (shell.wantsJson()) {
      printJson(findings);
    } else {
      findings.forEach(finding -> print(shell.screen(), finding));
    }
    boolean broken = findings.stream().anyMatch(f -> f.state() == Finding.State.BROKEN);
    return broken ? ErrorCode.Kind.OUTSIDE.exitCode() : 0;
  }

  /// All at once, because each tool may take seconds to tell its version.
  private List<Finding> examine() throws InterruptedException {
    var checks = new ArrayList<>(ToolChecks.all());
    checks.addAll(1, new DaemonChecks(shell.data()).all());
    var findings = new ArrayList<Finding>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Finding> finding : threads.invokeAll(checks)) {
        findings.add(outcome(finding));
      }
    }
    return findings;
  }

  private static Finding outcome(Future<Finding> finding) throws InterruptedException {
    try {
      return finding.get();
    } catch (ExecutionException e) {
      return Finding.broken(
          "check", String.valueOf(e.getCause()), "this check itself failed; please report it");
    }
  }

  private static void print(Screen screen, Finding finding) {
    String state = "%-8s".formatted(word(finding));
    screen.line(
        style(finding).paint(state, screen.hasColours())
            + "%-16s".formatted(finding.name())
            + Plain.line(finding.detail()));
    if (!finding.hint().isEmpty()) {
      screen.line(
          Style.FAINT.paint(" ".repeat(24) + Plain.line(finding.hint()), screen.hasColours()));
    }
  }

  private static Style style(Finding finding) {
    return switch (finding.state()) {
      case OK -> Style.GOOD;
      case WARN -> Style.DOUBTFUL;
      case MISSING -> Style.FAINT;
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
