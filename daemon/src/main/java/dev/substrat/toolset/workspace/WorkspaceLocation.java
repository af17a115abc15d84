package dev.substrat.toolset.workspace;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.team.WorkspaceConfig;
import java.nio.file.Path;
import java.util.Optional;

/// Location of an agent's workspace: a directory chosen by people or the daemon, and a path below
/// it. Spawned agents are below their parent.
///
/// `branch` is the agent whose worktree the directory is, if it is one.
record WorkspaceLocation(Path anchor, SafePath below, Optional<Agent> branch) {

  static WorkspaceLocation of(Tx tx, Agent agent, Path all) {
    WorkspaceConfig config = agent.config().workspaceOrDefault();
    SafePath inside = SafePath.parsePart("/workspace_subdir", subdir(tx, agent));
    Optional<Agent> parent =
        agent.parent() == null ? Optional.empty() : AgentTree.find(tx, agent.parent().value());
    if (parent.isPresent() && config.isWorktree()) {
      return new WorkspaceLocation(all.resolve(agent.id().value()), inside, Optional.of(agent));
    }
    if (parent.isPresent() && (agent.spawned() || config.isShared() || !inside.isRoot())) {
      return of(tx, parent.get(), all).inside(inside);
    }
    Path own = config.path() == null ? all.resolve(agent.id().value()) : Path.of(config.path());
    return new WorkspaceLocation(own, SafePath.ROOT, Optional.empty());
  }

  private static String subdir(Tx tx, Agent agent) {
    return tx.find(
            "select coalesce(workspace_subdir, '') as subdir from agent where id = ?",
            row -> row.text("subdir"),
            agent.id().value())
        .orElse("");
  }

  WorkspaceLocation inside(SafePath path) {
    return new WorkspaceLocation(anchor, below.resolve(path), branch);
  }

  Path directory() {
    return below.below(anchor);
  }
}
