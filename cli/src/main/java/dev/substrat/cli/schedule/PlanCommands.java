package dev.substrat.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for plans, the scheduled wake-ups of agents.
@Command(
    description = "Manage scheduled wake-ups (plans) of agents: list, set, delete.",
    footer = {
      "  ./substrat plan list",
      "  ./substrat plan list mira",
      "  ./substrat plan set mira report \"Write the report.\" --cron \"0 9 * * MON-FRI\"",
      "  ./substrat plan delete mira PLAN",
      ""
    })
public final class PlanCommands {
  private final RootCommand shell;

  public PlanCommands(RootCommand shell) {
    this.shell = shell;
  }

  /// Time of a plan: exactly one for a new plan, at most one for a change.
  static final class PlanTimeOptions {
    @Option(
        names = "--cron",
        paramLabel = "C",
        description = "Repeat on this cron schedule: minute hour day month weekday.")
    @Nullable String cron;

    @Option(
        names = "--at",
        paramLabel = "T",
        description = "Run once at this time, such as 2026-03-01T08:00:00Z.")
    @Nullable String at;

    @Option(
        names = "--after",
        paramLabel = "T",
        description = "Run once after this delay, such as 2h or \"1 day\".")
    @Nullable String after;
  }

  @Command(
      name = "list",
      description =
          "List upcoming plans and reminders, or all plans of one agent, including past plans.",
      footer = {"  ./substrat plan list", "  ./substrat plan list mira --json", ""})
  void list(
      @Parameters(paramLabel = "AGENT", arity = "0..1", description = "Agent: handle or id.")
          @Nullable String agent) {
    JsonNode list =
        agent == null
            ? shell.daemon().readAll("/api/schedules", "schedules")
            : shell.daemon().read(plans(agent));
    if (shell.wantsJson()) {
      shell.terminal().json(list);
    } else if (agent == null) {
      printUpcoming(list.path("schedules"));
    } else {
      print(list.path("plans"));
    }
  }

  @Command(
      name = "set",
      description = "Create a plan, or change the plan with --id.",
      footer = {
        "  ./substrat plan set mira report \"Write the report.\" --cron \"0 9 * * MON-FRI\" \\",
        "                       --timezone Europe/Berlin",
        "  ./substrat plan set mira tide \"Check the tide.\" --after 2h",
        "  ./substrat plan set mira --id PLAN --at 2026-03-01T08:00:00Z",
        ""
      })
  void set(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(paramLabel = "NAME", arity = "0..1", description = "Name of the plan.")
          @Nullable String name,
      @Parameters(paramLabel = "TEXT", arity = "0..1", description = "Instruction for the agent.")
          @Nullable String text,
      @ArgGroup(exclusive = true, multiplicity = "0..1") @Nullable PlanTimeOptions when,
      @Option(
              names = "--timezone",
              paramLabel = "Z",
              description = "Time zone for --cron (default: UTC).")
          @Nullable String timezone,
      @Option(names = "--id", paramLabel = "PLAN", description = "Id of the plan to change.")
          @Nullable String id) {
    var body = JsonTree.object();
    var plan = body.putArray("plans").addObject();
    JsonTree.putIfGiven(plan, "id", id);
    JsonTree.putIfGiven(plan, "name", name);
    JsonTree.putIfGiven(plan, "instruction", text);
    JsonTree.putIfGiven(plan, "cron", when == null ? null : when.cron);
    JsonTree.putIfGiven(plan, "scheduledAt", when == null ? null : when.at);
    JsonTree.putIfGiven(plan, "runAfter", when == null ? null : when.after);
    JsonTree.putIfGiven(plan, "timezone", timezone);
    JsonNode set = shell.daemon().post(plans(agent), body);
    if (!shell.printsJson(set)) {
      print(set.path("plans"));
    }
  }

  @Command(
      name = "delete",
      description = "Delete plans, so that they no longer wake the agent.",
      footer = {"  ./substrat plan delete mira PLAN", ""})
  void delete(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(
              paramLabel = "PLAN",
              arity = "1..*",
              description = "Plan id, from ./substrat plan list.")
          List<String> ids) {
    ids.forEach(id -> shell.daemon().delete(DaemonClient.path(plans(agent) + "/", id)));
    printDeleted(shell, ids);
  }

  static void printDeleted(RootCommand shell, List<String> deleted) {
    if (shell.wantsJson()) {
      var json = JsonTree.object();
      deleted.forEach(json.putArray("deleted")::add);
      shell.terminal().json(json);
    } else {
      deleted.forEach(id -> shell.line("deleted " + id));
    }
  }

  private static String plans(String agent) {
    return DaemonClient.path("/api/agents/", agent) + "/plans";
  }

  private void print(JsonNode plans) {
    if (plans.isEmpty()) {
      shell.line("no plans; set a plan: ./substrat plan set AGENT NAME TEXT --after 2h");
      return;
    }
    var table = TextTable.of("PLAN", "NAME", "STATUS", "NEXT", "LAST", "CRON", "INSTRUCTION");
    for (JsonNode plan : plans) {
      table.row(
          plan.path("id").asText(),
          plan.path("name").asText(),
          plan.path("status").asText(),
          RelativeTime.time(plan.path("nextRunAt")),
          RelativeTime.time(plan.path("lastRunAt")),
          cron(plan),
          plan.path("instruction").asText());
    }
    table.print(shell.terminal());
  }

  private void printUpcoming(JsonNode schedules) {
    if (schedules.isEmpty()) {
      shell.line("no upcoming plans or reminders");
      return;
    }
    var table = TextTable.of("NEXT", "AGENT", "KIND", "ID", "NAME", "CRON", "INSTRUCTION");
    for (JsonNode one : schedules) {
      table.row(
          RelativeTime.time(one.path("dueAt")),
          one.path("agent").asText(),
          one.path("kind").asText(),
          one.path("id").asText(),
          one.path("name").asText(""),
          cron(one),
          one.path("text").asText());
    }
    table.print(shell.terminal());
  }

  private static String cron(JsonNode plan) {
    return plan.has("cron")
        ? plan.path("cron").asText() + " " + plan.path("timezone").asText()
        : "";
  }
}
