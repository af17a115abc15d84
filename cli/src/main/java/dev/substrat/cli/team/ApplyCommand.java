package dev.substrat.cli.team;

import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.Terminal;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.WarningPrinter;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Applies a team file: prints the plan, then executes it.
@Command(
    description = {
      "Create or update a team from a file: shows the changes, then applies them.",
      "",
      "A file declares people, agents with their memory, goals and plans, shared blocks and"
          + " spaces.",
      "If the team matches the file, nothing changes. Missing memory, goals and plans are created;"
          + " memory,",
      "goals and plans that differ from the file do not change without --overwrite. On a terminal,"
          + " the",
      "command asks for confirmation first."
    },
    footer = {
      "  ./substrat apply examples/teams/harbor.yaml",
      "  ./substrat apply team.yaml --dry-run",
      "  ./substrat apply team.yaml --prune        # also remove agents, memory … that the file"
          + " does not declare",
      "  ./substrat apply team.yaml --overwrite    # also replace memory, goals and plans that"
          + " differ",
      "  ./substrat export | ./substrat apply - --data /tmp/copy",
      ""
    })
public final class ApplyCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(
      paramLabel = "FILE",
      description = "Team file, YAML or JSON, or \"-\" to read it from stdin.")
  private Path file = Path.of("-");

  @Option(names = "--dry-run", description = "Show the changes without applying them.")
  private boolean dryRun;

  @Option(
      names = "--prune",
      description = {
        "Also terminate agents that are below an agent of the file but not in the file,",
        "and delete memory, goals and plans that are missing in a list of the file."
      })
  private boolean prune;

  @Option(
      names = "--overwrite",
      description = "Replace memory, goals and plans that differ (default: do not change them).")
  private boolean overwrite;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  public ApplyCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Terminal screen = shell.terminal();
    TeamFile team = TeamFile.read(file, screen.in(), shell::daemon);
    DaemonClient daemon = daemon(team);
    var planner = new TeamPlanner(daemon, team, new TeamPlanner.PlannerOptions(prune, overwrite));
    ApplyPlan plan = planner.plan();
    planner.warnings().forEach(warning -> WarningPrinter.print(screen, warning));
    var page = new ApplyPlanPrinter(plan, screen);
    if (!shell.wantsJson()) {
      page.print();
    }
    if (dryRun || plan.steps().isEmpty()) {
      printResult(
          page, 0, plan.steps().isEmpty() ? "nothing to change" : "dry run: nothing changed");
    } else if (isConfirmed(plan)) {
      execute(daemon, plan, page);
    } else {
      screen.note("nothing changed");
    }
  }

  /// Without a daemon, errors in the file itself are still reported.
  private DaemonClient daemon(TeamFile team) {
    try {
      DaemonClient daemon = shell.daemon();
      daemon.read("/api/status");
      return daemon;
    } catch (Fault fault) {
      team.problems().throwIfAny();
      throw fault;
    }
  }

  private boolean isConfirmed(ApplyPlan plan) {
    if (yes) {
      return true;
    }
    if (shell.terminal().canAsk() && !shell.wantsJson()) {
      int steps = plan.steps().size();
      return shell
          .terminal()
          .confirm(steps == 1 ? "Apply this change?" : "Apply these " + steps + " changes?");
    }
    if (plan.isDestructive()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "--prune terminates agents or deletes data, and there is no terminal to ask for"
              + " confirmation",
          "check the changes with --dry-run, then add --yes");
    }
    return true;
  }

  private void execute(DaemonClient daemon, ApplyPlan plan, ApplyPlanPrinter page) {
    var execution = new PlanExecution(daemon, plan.matched());
    try {
      execution.run(
          plan.steps(),
          line -> {
            if (!shell.wantsJson()) {
              shell.line(TerminalText.line(line));
            }
          });
    } catch (Fault fault) {
      printPartialResult(plan.steps(), execution.done(), page);
      throw fault;
    }
    printResult(page, execution.done(), "done: " + plan.summary());
  }

  private void printResult(ApplyPlanPrinter page, int done, String words) {
    shell.print(page.json(done).put("dryRun", dryRun), words);
  }

  private void printPartialResult(List<PlanStep> steps, int done, ApplyPlanPrinter page) {
    if (shell.printsJson(page.json(done).put("dryRun", false))) {
      return;
    }
    shell.note("stopped after %d of %d steps".formatted(done, steps.size()));
    if (done > 0) {
      shell.note("done: " + words(steps.subList(0, done)));
    }
    shell.note("not done: " + words(steps.subList(done, steps.size())));
  }

  private static String words(List<PlanStep> steps) {
    return TerminalText.line(
        steps.stream().map(PlanStep::description).collect(Collectors.joining(", ")));
  }
}
