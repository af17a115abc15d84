package dev.substrat.provider.agentcli;

import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.toolset.workspace.Workspaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The machine that CLIs run on: home directories, allowed environment variables, workspaces, and
/// how CLIs reach their tools.
///
/// `mcp` is the URL of the daemon's MCP server, `bridge` the command for the same over stdio;
/// either may be missing.
public record CliHost(
    Path data,
    AllowedEnvironment environment,
    Workspaces workspaces,
    Supplier<Optional<String>> mcp,
    List<String> bridge) {

  public CliHost {
    data = data.toAbsolutePath().normalize();
    bridge = List.copyOf(bridge);
  }
}
