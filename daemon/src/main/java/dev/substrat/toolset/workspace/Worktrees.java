package dev.substrat.toolset.workspace;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/// Git branches of agents, each in a worktree of its own, so that no agent overwrites unseen
/// changes of another.
///
/// Safe for many threads: a worktree is created by one thread only.
final class Worktrees {
  /// One lock per agent in this process, because there is one directory to create.
  private static final ConcurrentMap<AgentId, Object> LOCKS = new ConcurrentHashMap<>();

  private static final String KEEP =
      """
      insert into worktree (agent_id, parent_id, repository, branch, base, created_at)
      values (?, ?, ?, ?, ?, ?)
      on conflict do nothing
      """;

  private final Database database;
  private final Sandbox sandbox;
  private final InstantSource clock;

  Worktrees(Database database, Sandbox sandbox, InstantSource clock) {
    this.database = database;
    this.sandbox = sandbox;
    this.clock = clock;
  }

  /// A branch, its base commit and its git directory.
  record AgentBranch(String name, String base, Path repository) {}

  /// Creates the agent's worktree at `folder`, unless it exists. `origin` is its repository.
  void createIfMissing(Agent agent, Path folder, Supplier<GitRepository> origin)
      throws IOException {
    synchronized (LOCKS.computeIfAbsent(agent.id(), _ -> new Object())) {
      if (Files.exists(folder.resolve(".git"))) {
        return;
      }
      GitRepository repository = origin.get();
      Files.createDirectories(folder);
      var git = git(repository, Workspaces.strength(agent), folder);
      String base = head(git, repository);
      String branch = branchOf(agent);
      boolean isThere =
          git.ask(repository.top(), "rev-parse", "--verify", "--quiet", "refs/heads/" + branch)
              .isPresent();
      if (isThere) {
        git.in(repository.top(), "worktree", "add", "--force", folder.toString(), branch);
      } else {
        git.in(repository.top(), "worktree", "add", "-b", branch, folder.toString(), base);
      }
      AgentId parent = agent.parent() == null ? agent.id() : agent.parent();
      database.transact(tx ->
          tx.update(
              KEEP,
              agent.id().value(),
              parent.value(),
              repository.common().toString(),
              branch,
              base,
              clock.instant()));
    }
  }

  static String branchOf(Agent agent) {
    return "substrat/" + agent.handle();
  }

  /// The repository of the agent at `place`, with at least one commit.
  GitRepository require(WorkspaceLocation place, Path folder, SandboxLevel strength) {
    GitRepository repository =
        place
            .branch()
            .flatMap(owner -> database.<Optional<AgentBranch>>read(tx -> find(tx, owner.id())))
            .map(branch -> new GitRepository(place.anchor(), branch.repository()))
            .or(() -> GitRepository.around(folder, place.anchor()))
            .orElseThrow(() ->
                ErrorCode.INVALID_CONFIG.fault(
                    "the workspace is not a git repository, so no worktree can be created",
                    "run git init there, or choose another workspace.mode"));
    head(git(repository, strength, repository.top()), repository);
    return repository;
  }

  private GitCommand git(GitRepository repository, SandboxLevel strength, Path folder) {
    return new GitCommand(
        sandbox, strength, repository.common(), List.of(repository.top(), folder));
  }

  private static String head(GitCommand git, GitRepository repository) {
    return git.ask(repository.top(), "rev-parse", "--verify", "HEAD")
        .map(String::strip)
        .orElseThrow(() ->
            ErrorCode.INVALID_CONFIG.fault(
                "the repository has no commit to branch from", "create a commit first"));
  }

  static Optional<AgentBranch> find(Tx tx, AgentId agent) {
    return tx.find(
        "select branch, base, repository from worktree where agent_id = ?",
        row ->
            new AgentBranch(row.text("branch"), row.text("base"), Path.of(row.text("repository"))),
        agent.value());
  }

  /// Schedules a report to the agent's parent.
  static void due(Tx tx, AgentId agent, Instant now) {
    tx.update(
        "update worktree set due_at = ? where agent_id = ? and closed = 0", now, agent.value());
  }
}
