package dev.substrat.cli.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TextTable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for the goals of agents.
@Command(
    description = "Manage the goals of agents: list, set, delete.",
    footer = {
      "  ./substrat goal list mira",
      "  ./substrat goal set mira \"Reach the sea\" --priority high",
      "  ./substrat goal set mira --id GOAL --status completed",
      "  ./substrat goal delete mira GOAL",
      ""
    })
public final class GoalCommands {
  private final RootCommand shell;

  public GoalCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description = "List an agent's goals, highest priority first.",
      footer = {"  ./substrat goal list mira", "  ./substrat goal list mira --json", ""})
  void list(@Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent) {
    JsonNode list = shell.daemon().read(goals(agent));
    if (!shell.printsList(list, "goals", "no goals; set a goal: ./substrat goal set AGENT TEXT")) {
      print(list.path("goals"));
    }
  }

  @Command(
      name = "set",
      description = "Create a goal, or change the goal with --id.",
      footer = {
        "  ./substrat goal set mira \"Reach the sea\" --priority high",
        "  ./substrat goal set mira --id GOAL --status completed",
        ""
      })
  void set(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(paramLabel = "TEXT", arity = "0..1", description = "Description of the goal.")
          @Nullable String text,
      @Option(names = "--id", paramLabel = "GOAL", description = "Id of the goal to change.")
          @Nullable String id,
      @Option(
              names = "--priority",
              paramLabel = "P",
              description = "Priority: high, medium or low (default for a new goal: medium).")
          @Nullable String priority,
      @Option(
              names = "--status",
              paramLabel = "S",
              description =
                  "Status: active, completed or abandoned (default for a new goal: active).")
          @Nullable String status) {
    var body = JsonTree.object();
    var goal = body.putArray("goals").addObject();
    JsonTree.putIfGiven(goal, "id", id);
    JsonTree.putIfGiven(goal, "description", text);
    JsonTree.putIfGiven(goal, "priority", priority);
    JsonTree.putIfGiven(goal, "status", status);
    JsonNode set = shell.daemon().post(goals(agent), body);
    if (!shell.printsJson(set)) {
      print(set.path("goals"));
    }
  }

  @Command(
      name = "delete",
      description = "Delete goals.",
      footer = {"  ./substrat goal delete mira GOAL", ""})
  void delete(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String agent,
      @Parameters(
              paramLabel = "GOAL",
              arity = "1..*",
              description = "Goal id, from ./substrat goal list.")
          List<String> ids) {
    ids.forEach(id -> shell.daemon().delete(DaemonClient.path(goals(agent) + "/", id)));
    PlanCommands.printDeleted(shell, ids);
  }

  private static String goals(String agent) {
    return DaemonClient.path("/api/agents/", agent) + "/goals";
  }

  private void print(JsonNode goals) {
    var table = TextTable.of("GOAL", "PRIORITY", "STATUS", "CHANGED", "DESCRIPTION");
    for (JsonNode goal : goals) {
      table.row(goal, "id", "priority", "status", "updatedAt", "description");
    }
    table.print(shell.terminal());
  }
}
