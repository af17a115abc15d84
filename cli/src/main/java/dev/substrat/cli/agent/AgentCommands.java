package dev.substrat.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.CommandGroup;
import dev.substrat.cli.terminal.KeyValueTable;
import dev.substrat.cli.terminal.RelativeTime;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextStyle;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.cli.terminal.WarningPrinter;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Handle;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for agents.
@Command(
    description = "Manage agents: create, list, show, update, clone, export, terminate …",
    footer = {
      "  ./substrat agent create mira --instructions \"You lead the harbor.\"",
      "  ./substrat agent create --config ada.yaml --parent mira",
      "  ./substrat agent tree",
      ""
    })
public final class AgentCommands implements CommandGroup {
  private static final String NONE_YET =
      "no agents yet; create an agent: ./substrat agent create NAME";

  /// Whole agents are much larger than what a table shows.
  private static final String SUMMARY = "summary";

  private final RootCommand shell;

  public AgentCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Override
  public Map<String, Object> branches() {
    var branches = new LinkedHashMap<String, Object>();
    branches.put("update", new UpdateCommand(shell));
    branches.put("clone", new CloneCommand(shell));
    branches.put("export", new AgentExportCommand(shell));
    branches.put("import", new AgentImportCommand(shell));
    branches.put("templates", new TemplatePrinter(shell));
    branches.put("template", new TemplateCommands(shell));
    return branches;
  }

  @Command(
      name = "create",
      description =
          "Create an agent. Options override --config, and --config overrides --template.",
      footer = {
        "  ./substrat agent create mira --instructions \"You lead the harbor.\"",
        "  ./substrat agent create ada --parent mira --toolsets team",
        "  ./substrat agent create rita --template reviewer",
        "  ./substrat agent create --config ben.yaml",
        ""
      })
  void create(@Mixin AgentOptions options) {
    ObjectNode wanted = options.body();
    JsonNode agent = shell.daemon().post("/api/agents", wanted);
    if (shell.printsJson(agent)) {
      return;
    }
    new KeyValueTable()
        .with("created", agent.path("handle"))
        .with("id", agent.path("id"))
        .print(shell.terminal());
    String usual = Handle.of(wanted.path("name").asText());
    String given = agent.path("handle").asText();
    if (!wanted.has("handle") && !given.equals(usual)) {
      shell.note("the handle %s is taken; the new agent has the handle %s".formatted(usual, given));
    }
    WarningPrinter.of(agent).forEach(warning -> WarningPrinter.print(shell.terminal(), warning));
  }

  @Command(
      name = "list",
      description = "List agents.",
      footer = {"  ./substrat agent list", "  ./substrat agent list --all", ""})
  public void list(
      @Option(names = "--all", description = "Also list terminated agents.") boolean all) {
    JsonNode agents =
        shell
            .daemon()
            .readAll(
                DaemonClient.query(
                    "/api/agents",
                    "terminated",
                    all ? "true" : null,
                    "view",
                    shell.wantsJson() ? null : SUMMARY),
                "agents");
    if (shell.printsList(agents, "agents", NONE_YET)) {
      return;
    }
    AgentListPrinter.print(agents.path("agents"), shell.terminal());
  }

  /// Lists agents that are not terminated.
  public void list() {
    list(false);
  }

  @Command(
      name = "show",
      description = "Show an agent: state, configuration, instructions.",
      footer = {"  ./substrat agent show mira", ""})
  void show(@Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String name) {
    JsonNode agent = shell.daemon().read(DaemonClient.path("/api/agents/", name));
    if (shell.printsJson(agent)) {
      return;
    }
    JsonNode config = readOrEmpty(DaemonClient.path("/api/agents/", name) + "/config");
    JsonNode runs = readOrEmpty(DaemonClient.query("/api/runs", "agent", name, "limit", "1"));
    new AgentPrinter(agent, config, runs.at("/runs/0"), parent(agent), held(agent))
        .facts()
        .print(shell.terminal());
  }

  /// Handle of the parent, or its id if it is terminated.
  private String parent(JsonNode agent) {
    String id = agent.path("parentId").asText("");
    return id.isEmpty()
        ? ""
        : readOrEmpty(DaemonClient.path("/api/agents/", id)).path("handle").asText(id);
  }

  /// Reason of held messages, and the command that lists them.
  private String held(JsonNode agent) {
    if (agent.path("condition").path("held").asLong() == 0) {
      return "";
    }
    String handle = agent.path("handle").asText();
    JsonNode newest =
        readOrEmpty(
            DaemonClient.query("/api/messages", "held", "true", "agent", handle, "limit", "1"));
    String why = newest.at("/messages/0/held").asText("");
    return (why.isEmpty() ? "" : " (" + why + ")")
        + "\nsee: "
        + shell.command("message list --held --agent " + handle);
  }

  /// The response, or an empty object on an error: optional parts of the output.
  private JsonNode readOrEmpty(String target) {
    try {
      return shell.daemon().read(target);
    } catch (Fault _) {
      return JsonTree.object();
    }
  }

  @Command(
      name = "inspect",
      description = "Show the activity of an agent: state, open questions, newest messages.",
      footer = {"  ./substrat agent inspect mira", ""})
  void inspect(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String name) {
    JsonNode seen = shell.daemon().read(DaemonClient.path("/api/agents/", name) + "/activity");
    if (shell.printsJson(seen)) {
      return;
    }
    new KeyValueTable()
        .with("state", seen.path("state"))
        .with("reason", seen.path("state_reason"))
        .with("next try", RelativeTime.time(seen.path("next_try_at")))
        .with("budgets", BudgetPrinter.lines(seen.path("budgets")))
        .with("waiting for", JsonTree.words(seen.path("waiting_for")))
        .with("executing", AgentPrinter.executing(seen))
        .with("unread", seen.path("pending_count"))
        .with("run", seen.path("current_run"))
        .with("last output", AgentPrinter.textOrHidden(seen.path("last_said")))
        .print(shell.terminal());
    var table = TextTable.of("AT", "FROM", "TO", "STATUS", "TEXT");
    for (JsonNode message : seen.path("recent_messages")) {
      table.row(
          RelativeTime.time(message.path("at")),
          message.path("from").asText(),
          message.path("to").asText(),
          message.path("status").asText(),
          AgentPrinter.textOrHidden(message));
    }
    table.print(shell.terminal());
  }

  @Command(
      name = "budget",
      description = {
        "Show or set the budgets of an agent and all agents below it.",
        "",
        "Without options, lists the budgets of the agent and of the agents above it. With options,"
            + " sets",
        "the totals of the agent's budgets; messages that waited for a budget are delivered."
      },
      footer = {
        "  ./substrat agent budget mira",
        "  ./substrat agent budget mira --usd 5 --turns 200",
        ""
      })
  void budget(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String name,
      @Mixin BudgetOptions options) {
    String target = DaemonClient.path("/api/agents/", name) + "/budget";
    JsonNode found =
        options.body().isEmpty()
            ? shell.daemon().read(target)
            : shell.daemon().post(target, options.body());
    if (!shell.printsList(
        found,
        "budgets",
        "no budget; set a budget: " + shell.command("agent budget " + name + " --usd 5"))) {
      BudgetPrinter.print(found.path("budgets"), shell.terminal());
    }
  }

  @Command(
      name = "prompt",
      description = "Show an agent's prompts: the system prompt, and the prompt of its next turn.",
      footer = {"  ./substrat agent prompt mira", ""})
  void prompt(@Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String name) {
    JsonNode briefing = shell.daemon().read(DaemonClient.path("/api/agents/", name) + "/briefing");
    if (shell.printsJson(briefing)) {
      return;
    }
    titled("system prompt", briefing.path("system").asText());
    shell.line("");
    if (briefing.path("turn").isNull()) {
      shell.line(noTurnReason(briefing));
    } else {
      titled("next turn", briefing.path("turn").asText());
    }
  }

  /// Why no turn would start now, and when the next attempt is, if that is known.
  private static String noTurnReason(JsonNode briefing) {
    String why = briefing.path("waits").asText("");
    String next = RelativeTime.time(briefing.path("nextTryAt"));
    if (why.isEmpty()) {
      return "no event is due for this agent now";
    }
    return "no turn starts now: "
        + TerminalText.line(why)
        + (next.isEmpty() ? "" : "; next attempt at " + next);
  }

  private void titled(String title, String text) {
    shell.line(TextStyle.FAINT.paint("--- " + title + " ---", shell.terminal().hasColours()));
    shell.line(TerminalText.block(text).stripTrailing());
  }

  @Command(
      name = "tree",
      description = "Show the tree of agents.",
      footer = {"  ./substrat agent tree", ""})
  public void tree() {
    JsonNode agents =
        shell
            .daemon()
            .readAll(
                DaemonClient.query("/api/agents", "view", shell.wantsJson() ? null : SUMMARY),
                "agents");
    if (!shell.printsList(agents, "agents", NONE_YET)) {
      AgentTreePrinter.of(agents.path("agents")).lines().forEach(shell::line);
    }
  }

  @Command(
      name = "terminate",
      description = {
        "Terminate an agent and all agents below it; their tokens are revoked.",
        "",
        "If there are agents below the agent, the command asks for confirmation on a terminal."
      },
      footer = {
        "  ./substrat agent terminate ben",
        "  ./substrat agent terminate mira --yes     also all agents below it, without"
            + " confirmation",
        ""
      })
  void terminate(
      @Parameters(paramLabel = "AGENT", description = "Agent: handle or id.") String name,
      @Option(
              names = {"-y", "--yes"},
              description = "Do not ask for confirmation.")
          boolean yes) {
    new TerminateAction(shell, name).run(yes);
  }
}
