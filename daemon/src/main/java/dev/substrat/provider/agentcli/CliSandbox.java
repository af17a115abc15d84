package dev.substrat.provider.agentcli;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
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

/// Working directory and sandbox policy of an agent's CLI. The CLI sees its workspace, its home
/// directory and its program files. If the sandbox does not work on this machine, it sees all files
/// of the daemon's user, and an event reports that.
public final class CliSandbox {
  private final CliHost machine;
  private final Sandbox sandbox;
  private final Path directory;
  private final SandboxPolicy policy;

  private CliSandbox(CliHost machine, Path directory, SandboxPolicy policy) {
    this.machine = machine;
    this.sandbox = machine.workspaces().sandbox();
    this.directory = directory;
    this.policy = policy;
  }

  public static CliSandbox of(CliHost machine, ProviderTurn turn, ProviderConfig config) {
    var result = of(machine, turn.agent(), config.directory());
    boolean isWanted = result.policy.strength() != SandboxPolicy.SandboxLevel.OFF;
    if (isWanted && !result.sandbox.works()) {
      turn.publish(new ProviderEvent.SandboxUnavailable(result.sandbox.state().detail()));
    }
    return result;
  }

  private static CliSandbox of(CliHost machine, Agent agent, @Nullable String chosen) {
    Workspaces workspaces = machine.workspaces();
    SandboxPolicy policy = workspaces.sandboxPolicy(agent);
    if (chosen == null) {
      return new CliSandbox(machine, workspaces.directory(agent), policy);
    }
    Path directory = Path.of(chosen);
    boolean isOpen = policy.strength() == SandboxPolicy.SandboxLevel.OFF;
    return new CliSandbox(
        machine, directory, isOpen ? policy : workspaces.working(policy, agent, directory));
  }

  Path directory() {
    return directory;
  }

  /// The limit of the sandbox that stopped a program.
  Optional<String> limitReached(ChildProcess child, OptionalInt exitCode, String output) {
    return isSandboxed() ? sandbox.limitReached(child, exitCode, output) : Optional.empty();
  }

  /// Whether the program runs in a sandbox.
  boolean isSandboxed() {
    return policy.strength() != SandboxPolicy.SandboxLevel.OFF && sandbox.works();
  }

  /// Whether the program can reach the daemon's URL.
  boolean hasNetwork() {
    return !isSandboxed() || policy.hasNetwork();
  }

  /// Whether a program started with the other policy can be used with this one.
  public boolean isLike(CliSandbox other) {
    return directory.equals(other.directory)
        && policy.equals(other.policy)
        && isSandboxed() == other.isSandboxed();
  }

  LaunchParameters around(LaunchParameters launch, CliHomeDirectory home, ToolEndpoint endpoint)
      throws IOException {
    if (policy.strength() == SandboxPolicy.SandboxLevel.OFF) {
      return launch;
    }
    // People may have logged in there as the daemon's user.
    sandbox.handOver(home.path());
    SandboxPolicy all =
        ProgramFiles.of(launch.command().getFirst()).in(policy.writing(home.path()));
    if (endpoint instanceof ToolEndpoint.StdioEndpoint stdio) {
      for (Path part : bridge(stdio.command().getFirst())) {
        all = Files.exists(part) ? all.reading(part) : all;
      }
    }
    return sandbox.launch(launch, all);
  }

  /// Files of the MCP bridge: its installation directory and Java.
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
