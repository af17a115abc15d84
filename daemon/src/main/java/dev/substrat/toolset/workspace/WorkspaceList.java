package dev.substrat.toolset.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxReport;
import dev.substrat.platform.sandbox.SandboxSelfTest;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.toolset.workspace.Worktrees.Branch;
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

  /// An agent's workspace. `sandbox` is `on`, `plain` (wanted, but not to be had here), `refused`
  /// (required, so nothing is run) or `off`; `network` is whether what is run for it has one.
  @JsonInclude(JsonInclude.Include.ALWAYS)
  public record Card(
      String agentId,
      String agent,
      String directory,
      boolean exists,
      String mode,
      String sandbox,
      boolean network,
      @Nullable String branch) {}

  /// What is in it.
  public record Contents(
      Card workspace,
      DirectoryWalk.Size size,
      String path,
      List<DirectoryWalk.Entry> files,
      boolean truncated) {}

  /// What this machine can do.
  public Sandbox.State sandbox() {
    return workspaces.sandbox().state();
  }

  /// What the sandbox holds, found out from inside one.
  public SandboxReport examineSandbox() {
    return SandboxSelfTest.of(workspaces.sandbox(), workspaces.data());
  }

  public Card view(Agent agent) {
    WorkspaceConfig config = agent.config().workspaceOrDefault();
    Path directory = workspaces.place(agent).directory();
    Optional<Branch> branch = database.read(tx -> Worktrees.find(tx, agent.id()));
    return new Card(
        agent.id().value(),
        agent.handle(),
        directory.toString(),
        Files.isDirectory(directory),
        mode(agent, config),
        sandboxSummary(config),
        config.network() == null ? isProgram.test(agent) : config.network(),
        branch.map(Branch::name).orElse(null));
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

  /// What is in a folder of the workspace and below it, by name.
  public Contents contents(Agent agent, String path, int most) {
    Card card = view(agent);
    SafePath from = SafePath.parse("path", path);
    if (!card.exists()) {
      return new Contents(
          card, new DirectoryWalk.Size(0, 0, false), from.toString(), List.of(), false);
    }
    try {
      ConfinedDirectory room = workspaces.look(agent);
      DirectoryWalk.Entries entries = new DirectoryWalk(room).list(from, true, most);
      return new Contents(
          card,
          new DirectoryWalk(room).size(),
          from.toString(),
          entries.files(),
          entries.truncated());
    } catch (IOException e) {
      throw FileErrors.fault(from, e);
    }
  }

  /// What an agent has changed on its branch.
  public BranchDiffs.Diff diff(Agent agent) {
    return workspaces.diffs().of(agent);
  }
}
