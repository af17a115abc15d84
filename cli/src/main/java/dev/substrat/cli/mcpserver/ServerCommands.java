package dev.substrat.cli.mcpserver;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.client.DaemonClient;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.cli.terminal.RootCommand;
import dev.substrat.cli.terminal.TerminalText;
import dev.substrat.cli.terminal.TextTable;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Commands for remote MCP servers of agents.
@Command(
    description = "Manage remote MCP servers of agents: list, show, refresh, approve, reject.",
    footer = {
      "  ./substrat server list",
      "  ./substrat server show mira charts",
      "  ./substrat server approve mira charts find_chart",
      ""
    })
public final class ServerCommands {
  private static final String AGENT = "Agent: handle or id.";
  private static final String SERVER = "Name of the server in the agent's configuration.";
  private static final String YES = "Do not ask for confirmation.";

  private final RootCommand shell;

  public ServerCommands(RootCommand shell) {
    this.shell = shell;
  }

  @Command(
      name = "list",
      description =
          "List the MCP servers of all agents, with state and tools that wait for approval.",
      footer = {"  ./substrat server list", "  ./substrat server list --json", ""})
  void list() {
    JsonNode all = shell.daemon().readAll("/api/mcp-servers", "agents");
    if (shell.printsList(all, "agents", "no agent has remote servers")) {
      return;
    }
    var table = TextTable.of("AGENT", "SERVER", "STATE", "TOOLS", "WAITING", "PROBLEM");
    for (JsonNode agent : all.path("agents")) {
      for (JsonNode server : agent.path("servers")) {
        table.row(
            agent.path("agent").asText(),
            server.path("name").asText(),
            ServerPrinter.state(server),
            String.valueOf(count(server, "approved")),
            String.valueOf(count(server, "quarantined")),
            server.path("problem").asText(""));
      }
    }
    table.print(shell.terminal());
    String policy = ServerPrinter.policy(all.path("agents").path(0).path("servers").path(0));
    if (!policy.isEmpty()) {
      shell.note("tools of a new server: " + TerminalText.line(policy));
    }
  }

  private static long count(JsonNode server, String verdict) {
    return server
        .path("tools")
        .valueStream()
        .filter(tool -> tool.path("verdict").asText().equals(verdict))
        .count();
  }

  @Command(
      name = "show",
      description = "Show an MCP server, its tools, and the changes that wait for approval.",
      footer = {"  ./substrat server show mira charts", ""})
  void show(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "SERVER", description = SERVER) String server) {
    print(find(agent, server));
  }

  @Command(
      name = "refresh",
      description = "Connect to a server and read its tool list again.",
      footer = {"  ./substrat server refresh mira charts", ""})
  void refresh(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "SERVER", description = SERVER) String server) {
    shell.daemon().post(path(agent, server) + "/look", JsonTree.object());
    print(find(agent, server));
  }

  private void print(JsonNode server) {
    if (!shell.printsJson(server)) {
      new ServerPrinter(shell.terminal()).print(server);
    }
  }

  @Command(
      name = "approve",
      description =
          "Approve the current version of a tool; without TOOL, allow the server's program to"
              + " start.",
      footer = {
        "  ./substrat server approve mira files",
        "  ./substrat server approve mira charts find_chart",
        "  ./substrat server approve mira charts --all",
        ""
      })
  void approve(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "SERVER", description = SERVER) String server,
      @Parameters(
              paramLabel = "TOOL",
              arity = "0..1",
              description = "Tool name, from ./substrat server show.")
          @Nullable String tool,
      @Option(
              names = "--all",
              description =
                  "Approve all tools that wait for approval, asking for each; skips suspicious"
                      + " tools.")
          boolean isAll,
      @Option(names = "--yes", description = YES) boolean isSure) {
    JsonNode found = find(agent, server);
    if (isAll) {
      approveAll(agent, found, isSure);
    } else if (tool == null) {
      decide(isSure, new ServerDecision.ProgramDecision(agent, found));
    } else {
      decide(isSure, new ServerDecision.ToolDecision(agent, found, tool, true));
    }
  }

  /// Suspicious tools are skipped: a person approves each by name.
  private void approveAll(String agent, JsonNode server, boolean isSure) {
    List<JsonNode> waiting =
        server
            .path("tools")
            .valueStream()
            .filter(tool -> tool.path("verdict").asText().equals("quarantined"))
            .toList();
    if (waiting.isEmpty()) {
      shell.note(
          "no tool of %s waits for approval"
              .formatted(TerminalText.line(server.path("name").asText())));
    }
    for (JsonNode tool : waiting) {
      String name = tool.path("name").asText();
      if (tool.path("findings").isEmpty()) {
        decide(isSure, new ServerDecision.ToolDecision(agent, server, name, true));
      } else {
        shell.note(
            "not approved, because its definition is suspicious: %s; to approve it, pass its name as TOOL"
                .formatted(TerminalText.line(name)));
      }
    }
  }

  @Command(
      name = "reject",
      description = "Reject the current version of a tool.",
      footer = {"  ./substrat server reject mira charts find_chart", ""})
  void reject(
      @Parameters(paramLabel = "AGENT", description = AGENT) String agent,
      @Parameters(paramLabel = "SERVER", description = SERVER) String server,
      @Parameters(paramLabel = "TOOL", description = "Tool name, from ./substrat server show.")
          String tool,
      @Option(names = "--yes", description = YES) boolean isSure) {
    decide(isSure, new ServerDecision.ToolDecision(agent, find(agent, server), tool, false));
  }

  /// Sends the hash of what was shown, so that the decision applies to exactly that version.
  private void decide(boolean isSure, ServerDecision decision) {
    if (!shell.wantsJson() && decision.isAlreadyDecided()) {
      shell.line(TerminalText.line(decision.alreadyDecidedMessage()));
      return;
    }
    if (!shell.wantsJson()) {
      decision.show(shell);
    }
    if (!isSure && !shell.terminal().canAsk()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          "confirmation needed, and there is no terminal to ask",
          "check the definition with ./substrat server show, then add --yes");
    }
    if (isSure || shell.terminal().confirm(decision.question())) {
      JsonNode decided =
          shell.daemon().post(decision.path(), JsonTree.object().put("hash", decision.hash()));
      shell.print(decided, TerminalText.line(decision.resultMessage(shell)));
    } else {
      shell.note("nothing changed");
    }
  }

  private JsonNode find(String agent, String server) {
    JsonNode servers =
        shell
            .daemon()
            .read(DaemonClient.path("/api/agents/", agent) + "/mcp-servers")
            .path("servers");
    return named(servers, server, agent + " has no server " + server);
  }

  /// The entry with that name. Otherwise a fault with the message `otherwise` and a spelling hint.
  static JsonNode named(JsonNode all, String name, String otherwise) {
    List<String> names = all.valueStream().map(one -> one.path("name").asText()).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw ErrorCode.NOT_FOUND.fault(
          otherwise,
          SpellingSuggestion.suggestion(name, names) + "list servers with: ./substrat server list");
    }
    return all.path(index);
  }

  static String path(String agent, String server) {
    return DaemonClient.path(DaemonClient.path("/api/agents/", agent) + "/mcp-servers/", server);
  }
}
