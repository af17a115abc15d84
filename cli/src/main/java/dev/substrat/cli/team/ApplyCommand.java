package dev.substrat.cli.team;

import dev.substrat.cli.shell.RootCommand;
import dev.substrat.cli.shell.Terminal;
import dev.substrat.cli.shell.TerminalText;
import dev.substrat.cli.shell.Warnings;
import dev.substrat.cli.wire.DaemonClient;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Makes the team like its file says, and says first what that takes.
@Command(
    description = {
      "Declare a whole team in a file: shows the plan, then makes it so.",
      "",
      "A team is its people, agents, their memory, goals and plans, shared blocks and spaces.",
      "What already is as the file says stays untouched, so the same file can be applied again",
      "and again. Memory, goals and plans are created if missing; those that agents have changed",
      "are kept. On a terminal it asks first."
    },
    footer = {
      "  ./substrat apply examples/teams/harbor.yaml",
      "  ./substrat apply team.yaml --dry-run",
      "  ./substrat apply team.yaml --prune        also remove what left the file",
      "  ./substrat apply team.yaml --overwrite    memory, goals and plans as the file has them",
      "  ./substrat export | ./substrat apply - --data /tmp/copy",
      ""
    })
public final class ApplyCommand implements Runnable {
  private final RootCommand shell;

  @Parameters(paramLabel = "FILE", description = "The team, YAML or JSON; - reads stdin.")
  private Path file = Path.of("-");

  @Option(names = "--dry-run", description = "Show the plan and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--prune",
      description = {
        "End agents below declared ones that the file does not declare, and delete memory,",
        "goals and plans that are missing in a list of the file."
      })
  private boolean prune;

  @Option(
      names = "--overwrite",
      description = "Replace memory, goals and plans that differ; default: keep them.")
  private boolean overwrite;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask.")
  private boolean yes;

  public ApplyCommand(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Terminal screen = shell.screen();
    TeamFile team = TeamFile.read(file, screen.in(), shell::daemon);
    DaemonClient daemon = daemon(team);
    var planner = new TeamPlanner(daemon, team, new TeamPlanner.Options(prune, overwrite));
    ApplyPlan plan = planner.plan();
    planner.warnings().forEach(warning -> Warnings.tell(screen, warning));
    var page = new ApplyPlanPrinter(plan, screen);
    if (!shell.wantsJson()) {
      page.print();
    }
    if (dryRun || plan.steps().isEmpty()) {
      tellEnd(page, 0, plan.steps().isEmpty() ? "nothing to change" : "dry run: nothing changed");
    } else if (mayGoOn(plan)) {
      roll(daemon, plan, page);
    } else {
      screen.note("nothing changed");
    }
  }

  /// Without a daemon, what is wrong with the file by itself is still reported.
  private DaemonClient daemon(TeamFile team) {
    try {
      DaemonClient daemon = shell.daemon();
      daemon.read("/api/status");
      return daemon;
    } catch (Fault fault) {
      team.refusals().throwIfAny();
      throw fault;
    }
  }

  private boolean mayGoOn(ApplyPlan plan) {
    if (yes) {
      return true;
    }
    if (shell.screen().canAsk() && !shell.wantsJson()) {
      int steps = plan.steps().size();
      return shell
          .screen()
          .agrees(steps == 1 ? "Make this change?" : "Make these " + steps + " changes?");
    }
    if (plan.removesSomething()) {
      throw new Fault(
          ErrorCode.INVALID_ARGUMENTS,
          "--prune would end agents or delete what they keep, and there is nobody to ask",
          "look at the plan with --dry-run, then say --yes");
    }
    return true;
  }

  private void roll(DaemonClient daemon, ApplyPlan plan, ApplyPlanPrinter page) {
    var rollout = new PlanExecution(daemon, plan.matched());
    try {
      rollout.run(
          plan.steps(),
          line -> {
            if (!shell.wantsJson()) {
              shell.screen().line(TerminalText.line(line));
            }
          });
    } catch (Fault fault) {
      tellStop(plan.steps(), rollout.done(), page);
      throw fault;
    }
    tellEnd(page, rollout.done(), "done: " + plan.summary());
  }

  private void tellEnd(ApplyPlanPrinter page, int done, String words) {
    if (shell.wantsJson()) {
      shell.screen().json(page.json(done).put("dryRun", dryRun));
    } else {
      shell.screen().line(words);
    }
  }

  private void tellStop(List<PlanStep> steps, int done, ApplyPlanPrinter page) {
    if (shell.wantsJson()) {
      shell.screen().json(page.json(done).put("dryRun", false));
      return;
    }
    shell.screen().note("stopped after %d of %d".formatted(done, steps.size()));
    if (done > 0) {
      shell.screen().note("done: " + words(steps.subList(0, done)));
    }
    shell.screen().note("not done: " + words(steps.subList(done, steps.size())));
  }

  private static String words(List<PlanStep> steps) {
    return TerminalText.line(steps.stream().map(PlanStep::words).collect(Collectors.joining(", ")));
  }
}
