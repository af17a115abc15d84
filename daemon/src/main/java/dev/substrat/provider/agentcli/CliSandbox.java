package dev.substrat.provider.agentcli;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Launch;
import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.team.Agent;
import dev.substrat.team.ProviderConfig;
import dev.substrat.toolset.workspace.Workspaces;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/// Where an agent's CLI works and the walls around it. It sees its workspace, its own home and the
/// programs it is made of; where there are no walls here, it sees what the daemon sees, and that is
/// said.
public final class CliSandbox {
  private final CliHost machine;
  private final Sandbox sandbox;
  private final Path directory;
  private final SandboxPolicy walls;

  private CliSandbox(CliHost machine, Path directory, SandboxPolicy walls) {
    this.machine = machine;
    this.sandbox = machine.workspaces().sandbox();
    this.directory = directory;
    this.walls = walls;
  }

  public static CliSandbox of(CliHost machine, ProviderTurn turn, ProviderConfig mind) {
    var enclosure = of(machine, turn.agent(), mind.directory());
    boolean areWanted = enclosure.walls.strength() != SandboxPolicy.Level.OFF;
    if (areWanted && !enclosure.sandbox.works()) {
      turn.publish(new ProviderEvent.Unsandboxed(enclosure.sandbox.state().detail()));
    }
    return enclosure;
  }

  private static CliSandbox of(CliHost machine, Agent agent, @Nullable String chosen) {
    Workspaces workspaces = machine.workspaces();
    SandboxPolicy walls = workspaces.sandboxPolicy(agent);
    if (chosen == null) {
      return new CliSandbox(machine, workspaces.directory(agent), walls);
    }
    Path directory = Path.of(chosen);
    boolean isOpen = walls.strength() == SandboxPolicy.Level.OFF;
    return new CliSandbox(
        machine, directory, isOpen ? walls : workspaces.working(walls, agent, directory));
  }

  Path directory() {
    return directory;
  }

  /// Which limit of the sandbox a program has met that ended so.
  Optional<String> limitReached(ChildProcess child, OptionalInt exitCode, String output) {
    return isWalled() ? sandbox.limitReached(child, exitCode, output) : Optional.empty();
  }

  /// True if it cannot do any harm outside, whatever it runs.
  boolean isWalled() {
    return walls.strength() != SandboxPolicy.Level.OFF && sandbox.works();
  }

  /// Only with a network can it reach the daemon's address.
  boolean hasNetwork() {
    return !isWalled() || walls.hasNetwork();
  }

  /// Whether a program that was started behind these walls still has the right ones.
  public boolean isLike(CliSandbox other) {
    return directory.equals(other.directory)
        && walls.equals(other.walls)
        && isWalled() == other.isWalled();
  }

  Launch around(Launch launch, CliHomeDirectory home, ToolEndpoint door) throws IOException {
    if (walls.strength() == SandboxPolicy.Level.OFF) {
      return launch;
    }
    // People log in there as the user that runs the daemon.
    sandbox.handOver(home.path());
    SandboxPolicy all = ProgramFiles.of(launch.command().getFirst()).in(walls.writing(home.path()));
    if (door instanceof ToolEndpoint.Stdio stdio) {
      for (Path part : bridge(stdio.command().getFirst())) {
        all = Files.exists(part) ? all.reading(part) : all;
      }
    }
    return sandbox.launch(launch, all);
  }

  /// Our own: where it was installed there is all that it needs, but for its Java.
  private List<Path> bridge(String word) throws IOException {
    var parts = new ArrayList<Path>();
    Optional<Path> program = new CliProgram(List.of(word)).find();
    if (program.isPresent()) {
      parts.add(program.get().toAbsolutePath().normalize().resolveSibling(""));
      parts.add(program.get().toRealPath().resolveSibling(""));
    }
    parts.add(Path.of(System.getProperty("java.home")));
    parts.add(machine.data().resolve("daemon.json"));
    parts.add(machine.data().resolve("daemon.sock"));
    return parts;
  }
}
