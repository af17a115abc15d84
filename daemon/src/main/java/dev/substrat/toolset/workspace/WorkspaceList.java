package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxReport;
import dev.substrat.platform.sandbox.SandboxSelfTest;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.toolset.workspace.Worktrees.AgentBranch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Lists the workspaces of all agents without creating any.
public final class WorkspaceList {
  private final Database database;
  private final Workspaces workspaces;
  private final Predicate<Agent> isProgram;

  /// `isProgram` tells whether an agent's provider is a program that runs in the workspace and has
  /// network access.
  public WorkspaceList(Database database, Workspaces workspaces, Predicate<Agent> isProgram) {
    this.database = database;
    this.workspaces = workspaces;
    this.isProgram = isProgram;
  }

  /// An agent's workspace. `sandbox` is `on`, `plain` (configured, but not available on this
  /// machine), `refused` (required but not available, so nothing runs) or `off`. `network` says
  /// whether its programs have network access.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record WorkspaceSummary(
      String agentId,
      String agent,
      String directory,
      boolean exists,
      String mode,
      String sandbox,
      boolean network,
      @Nullable String branch) {}

  /// Files of a workspace.
  public record WorkspaceFiles(
      WorkspaceSummary workspace,
      DirectoryWalk.DirectorySize size,
      String path,
      List<DirectoryWalk.DirectoryEntry> files,
      boolean truncated) {}

  /// Whether the sandbox works on this machine.
  public Sandbox.SandboxState sandbox() {
    return workspaces.sandbox().state();
  }

  /// Runs the self-test of the sandbox.
  public SandboxReport examineSandbox() {
    return SandboxSelfTest.of(workspaces.sandbox(), workspaces.data());
  }

  public WorkspaceSummary view(Agent agent) {
    WorkspaceConfig config = agent.config().workspaceOrDefault();
    Path directory = workspaces.place(agent).directory();
    Optional<AgentBranch> branch = database.read(tx -> Worktrees.find(tx, agent.id()));
    return new WorkspaceSummary(
        agent.id().value(),
        agent.handle(),
        directory.toString(),
        Files.isDirectory(directory),
        mode(agent, config),
        sandboxSummary(config),
        config.network() == null ? isProgram.test(agent) : config.network(),
        branch.map(AgentBranch::name).orElse(null));
  }

  private static String mode(Agent agent, WorkspaceConfig config) {
    if (config.isWorktree()) {
      return "worktree";
    }
    return config.isShared() || agent.spawned() ? "shared" : "own";
  }

  private String sandboxSummary(WorkspaceConfig config) {
    if (!config.isSandboxed()) {
      return "off";
    }
    if (sandbox().works()) {
      return "on";
    }
    return config.requiresSandbox() ? "refused" : "plain";
  }

  /// Entries of a directory of the workspace and below it, by name.
  public WorkspaceFiles contents(Agent agent, String path, int most) {
    WorkspaceSummary card = view(agent);
    SafePath from = SafePath.parse("path", path);
    if (!card.exists()) {
      return new WorkspaceFiles(
          card, new DirectoryWalk.DirectorySize(0, 0, false), from.toString(), List.of(), false);
    }
    try {
      ConfinedDirectory directory = workspaces.openExisting(agent);
      DirectoryWalk.DirectoryListing entries = new DirectoryWalk(directory).list(from, true, most);
      return new WorkspaceFiles(
          card,
          new DirectoryWalk(directory).size(),
          from.toString(),
          entries.files(),
          entries.truncated());
    } catch (IOException e) {
      throw FileErrorMessages.fault(from, e);
    }
  }

  /// Changes of an agent on its branch.
  public BranchDiffReader.BranchDiff diff(Agent agent) {
    return workspaces.diffs().of(agent);
  }
}
