package dev.substrat.provider.agentcli;

import dev.substrat.provider.ProviderTurn;
import dev.substrat.tool.Tool;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// Maps the tool names of a CLI to the agent's tools. Only exact names match: a similar name is a
/// tool of the CLI itself.
public record ToolNameMapping(Set<String> names) {
  /// How programs write the name of a server's tool, with every other character than letters and
  /// digits replaced by one sign.
  private static final List<String> SPELLINGS =
      List.of(
          "mcp_" + ToolEndpoint.NAME + "_%s",
          ToolEndpoint.NAME + "_%s",
          "tool_" + ToolEndpoint.NAME + "_%s",
          "%s_" + ToolEndpoint.NAME + "_mcp_server");

  public ToolNameMapping {
    names = names.stream().map(ToolNameMapping::spelled).collect(Collectors.toUnmodifiableSet());
  }

  public static ToolNameMapping of(ProviderTurn turn) {
    return new ToolNameMapping(turn.tools().stream().map(Tool::name).collect(Collectors.toSet()));
  }

  public boolean has(String name) {
    String wanted = spelled(name);
    return names.stream()
        .anyMatch(tool ->
            SPELLINGS.stream().anyMatch(spelling -> spelling.formatted(tool).equals(wanted)));
  }

  private static String spelled(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_").replaceAll("^_|_$", "");
  }
}
