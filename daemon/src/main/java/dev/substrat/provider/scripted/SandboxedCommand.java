package dev.substrat.provider.scripted;

import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.provider.Provider.Outcome;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.toolset.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The program of a scripted agent, run in its workspace in a sandbox. A configured directory stays
/// its working directory and is mounted beside the workspace.
record SandboxedCommand(Workspaces workspaces, Agent agent) {

  Outcome think(ProviderTurn turn, ProviderConfig settings, Optional<String> mcp)
      throws InterruptedException {
    ScriptCommand given = ScriptCommand.of(settings);
    boolean isPlaced = settings.directory() != null && given.directory().getNameCount() > 0;
    ScriptCommand command = isPlaced ? given : given.in(workspaces.directory(agent));
    SandboxPolicy policy = around(command, isPlaced);
    Sandbox.State state = workspaces.sandbox().state();
    if (policy.strength() != SandboxPolicy.Level.OFF && !state.works()) {
      turn.publish(new ProviderEvent.Unsandboxed(state.detail()));
    }
    // Without network the MCP URL is not reachable: the program calls tools with lines.
    Optional<String> reachable = policy.hasNetwork() ? mcp : Optional.empty();
    var confined = new CommandTurn.Confined(workspaces.sandbox(), policy);
    return CommandTurn.think(turn, command, reachable, confined);
  }

  /// Shows the program, the files named in its command, and their packages. Other files need views.
  private SandboxPolicy around(ScriptCommand command, boolean isPlaced) {
    SandboxPolicy policy = workspaces.sandboxPolicy(agent);
    if (policy.strength() == SandboxPolicy.Level.OFF) {
      return policy;
    }
    if (isPlaced) {
      policy = placed(policy, command.directory());
    }
    Path inside = command.directory();
    List<Path> outside =
        command
            .files()
            .filter(file -> !file.startsWith(inside))
            .filter(workspaces::mayShow)
            .toList();
    try {
      return ProgramFiles.ofAll(outside).in(policy);
    } catch (IOException e) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "provider.command cannot run in the sandbox: " + e.getMessage(),
          "check that its files exist",
          e);
    }
  }

  /// The directory often contains only the script, so read access is sufficient.
  private SandboxPolicy placed(SandboxPolicy policy, Path directory) {
    try {
      return workspaces.sandbox().canWrite(directory)
          ? workspaces.working(policy, agent, directory)
          : policy.reading(directory);
    } catch (IOException e) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "provider.directory cannot be used: " + e.getMessage(),
          "check that the directory exists",
          e);
    }
  }
}
