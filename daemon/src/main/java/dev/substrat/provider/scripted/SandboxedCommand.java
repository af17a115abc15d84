package dev.substrat.provider.scripted;

import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
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

  Outcome think(ProviderTurn turn, ProviderConfig mind, Optional<String> mcp)
      throws InterruptedException {
    ScriptCommand given = ScriptCommand.of(mind);
    boolean isPlaced = mind.directory() != null && given.directory().getNameCount() > 0;
    ScriptCommand command = isPlaced ? given : given.in(workspaces.directory(agent));
    SandboxPolicy walls = around(command, isPlaced);
    Sandbox.State state = workspaces.sandbox().state();
    if (walls.strength() != SandboxPolicy.Level.OFF && !state.works()) {
      turn.publish(new ProviderEvent.Unsandboxed(state.detail()));
    }
    // Where there is no network there is no way to that address: calls go in lines.
    Optional<String> reachable = walls.hasNetwork() ? mcp : Optional.empty();
    var confined = new CommandTurn.Confined(workspaces.sandbox(), walls);
    return CommandTurn.think(turn, command, reachable, confined);
  }

  /// The program and the files that its words name are seen wherever they are, and the packages
  /// they belong to; what else it needs, people have to show it.
  private SandboxPolicy around(ScriptCommand command, boolean isPlaced) {
    SandboxPolicy walls = workspaces.sandboxPolicy(agent);
    if (walls.strength() == SandboxPolicy.Level.OFF) {
      return walls;
    }
    if (isPlaced) {
      walls = placed(walls, command.directory());
    }
    Path inside = command.directory();
    List<Path> outside =
        command
            .files()
            .filter(file -> !file.startsWith(inside))
            .filter(workspaces::mayShow)
            .toList();
    try {
      return ProgramFiles.ofAll(outside).in(walls);
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "provider.command cannot run in the sandbox: " + e.getMessage(),
          "check that its files exist",
          e);
    }
  }

  /// Most programs only have their script there, so one that they cannot write to will do.
  private SandboxPolicy placed(SandboxPolicy walls, Path directory) {
    try {
      return workspaces.sandbox().canWrite(directory)
          ? workspaces.working(walls, agent, directory)
          : walls.reading(directory);
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "provider.directory cannot be used: " + e.getMessage(),
          "check that the directory exists",
          e);
    }
  }
}
