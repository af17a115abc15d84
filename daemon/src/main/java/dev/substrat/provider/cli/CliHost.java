package dev.substrat.provider.cli;

import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.toolset.workspace.Workspaces;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// The machine that CLIs run on: where their homes are, what of its environment they may be given,
/// where they work, and how they get at their tools.
///
/// `mcp` is the address of our server, `bridge` the words that start the same over stdio; either
/// may be missing, in a daemon without doors or one that was not started by its own script.
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
