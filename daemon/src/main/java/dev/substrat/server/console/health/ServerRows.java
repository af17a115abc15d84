package dev.substrat.server.console.health;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.console.agents.TextDiff;
import dev.substrat.console.health.ServerRow;
import dev.substrat.console.health.ServerRow.ServerCommand;
import dev.substrat.console.health.ServerRow.ToolChange;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.HiddenCharacters;
import dev.substrat.team.Agent;
import dev.substrat.toolset.remote.RemoteServerApprovals;
import dev.substrat.toolset.remote.RemoteServerApprovals.ServerView;
import dev.substrat.toolset.remote.RemoteServerApprovals.ToolView;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Rows of remote MCP servers on the Health page, problems first.
final class ServerRows {
  /// Maximum number of agents whose servers are shown.
  private static final int AGENTS = 200;

  private ServerRows() {}

  static List<ServerRow> of(RemoteServerApprovals approvals) {
    return approvals.owners("", AGENTS).stream()
        .flatMap(agent -> approvals.servers(agent).stream().map(one -> row(agent, one)))
        .sorted(Comparator.comparing(ServerRow::needsAttention).reversed())
        .toList();
  }

  private static ServerRow row(Agent agent, ServerView server) {
    @Nullable String problem = server.problem();
    return new ServerRow(
        agent.id().value() + "-" + server.name(),
        agent.handle(),
        server.name(),
        server.transport(),
        server.state(),
        problem == null ? "" : problem,
        server.seenAt(),
        command(server),
        server.tools().stream()
            .filter(tool -> tool.verdict().equals("approved") && tool.listed())
            .count(),
        server.tools().stream()
            .filter(tool -> !tool.verdict().equals("approved"))
            .map(ServerRows::change)
            .toList(),
        server.policy().policy() + ": " + server.policy().reason());
  }

  private static @Nullable ServerCommand command(ServerView server) {
    return server.state().equals("unapproved")
            && server.command() != null
            && server.commandHash() != null
        ? new ServerCommand(words(server), server.commandHash())
        : null;
  }

  /// Everything that the approval covers, with quoted arguments.
  private static String words(ServerView server) {
    var words = new StringJoiner("\n");
    words.add(
        Stream.ofNullable(server.command())
            .flatMap(List::stream)
            .map(Json::text)
            .collect(Collectors.joining(" ")));
    if (server.env() != null) {
      server.env().forEach((name, value) -> words.add("env " + name + "=" + Json.text(value)));
    }
    words.add(Boolean.TRUE.equals(server.network()) ? "network access" : "no network access");
    if (server.access() != null) {
      words.add("This program " + server.access() + ".");
    }
    return words.toString();
  }

  private static ToolChange change(ToolView tool) {
    return new ToolChange(
        tool.name(),
        tool.approved() == null,
        tool.verdict().equals("rejected"),
        tool.hash(),
        tool.findings().stream().map(one -> one.pointer() + ": " + one.text()).toList(),
        TextDiff.between(text(tool.approved()), text(tool.offered())));
  }

  private static String text(@Nullable JsonNode definition) {
    return definition == null ? "" : HiddenCharacters.escape(definition.toPrettyString());
  }
}
