package dev.substrat.toolset.workspace;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.sandbox.SharedFileOwnership;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.toolset.workspace.Worktrees.AgentBranch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// Diffs and commits of agents' branches.
record BranchDiffReader(Database database, Workspaces workspaces) {

  private static final Log LOG = Log.of(BranchDiffReader.class);
  private static final int MAX_PATCH_LENGTH = 50_000;

  /// Changes on a branch since its base commit; `truncated` if the patch is longer.
  public record BranchDiff(
      String branch, String base, String stat, String patch, boolean truncated) {
    /// The same, with the reason why new files are missing in it.
    BranchDiff without(String complaint) {
      String first = complaint.lines().findFirst().orElse("git gave no reason");
      String note = "some new files are not included: " + first;
      return new BranchDiff(branch, base, stat + "\n" + note, patch, truncated);
    }

    static BranchDiff unknown(String branch, String reason) {
      return new BranchDiff(branch, "", "the diff is not available: " + reason, "", false);
    }
  }

  /// All changes of the agent on its branch, including uncommitted and untracked files.
  public BranchDiff of(Agent agent) {
    WorktreeCheckout site = site(agent);
    try (var draft = TemporaryGitIndex.of(site.own)) {
      WorktreeCheckout whole = site.withIndex(draft);
      // A nested repository without a commit cannot be added; all other files are.
      GitCommand.CommandResult added =
          whole.attempt("add", "--intent-to-add", "--ignore-errors", "--", ".");
      BranchDiff diff = of(branch(agent), whole);
      return added.isGood() ? diff : diff.without(added.complaint());
    } catch (IOException e) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "cannot read the worktree of " + agent.handle() + ": " + FileErrorMessages.of(e),
          "make the repository writable for the daemon",
          e);
    }
  }

  private static BranchDiff of(AgentBranch branch, WorktreeCheckout site) {
    String stat = site.diff("--stat=100", branch.base()).text();
    GitCommand.CommandResult said = site.diff("--no-textconv", branch.base());
    String patch = said.text();
    boolean isLong = patch.length() > MAX_PATCH_LENGTH;
    return new BranchDiff(
        branch.name(),
        branch.base(),
        stat.isBlank() ? "no changes" : stat.stripTrailing(),
        isLong ? patch.substring(0, MAX_PATCH_LENGTH) : patch,
        isLong || said.isCut());
  }

  /// Commits the uncommitted changes of the agent, so that the branch contains all of its work.
  void snapshot(Agent agent) {
    WorktreeCheckout site = site(agent);
    site.run("add", "--all");
    if (!site.diff("--cached", "--name-only").text().isBlank()) {
      site.run(
          "-c",
          "user.name=" + agent.name(),
          "-c",
          "user.email=" + agent.handle() + "@substrat.invalid",
          "commit",
          "--quiet",
          "--no-verify",
          "--message",
          "Work of " + agent.name());
    }
  }

  /// Removes the worktree. The branch stays and can be checked out in another place.
  void close(Agent agent) {
    WorktreeCheckout site = site(agent);
    // In the sandbox, git empties the directory and unregisters it, but cannot remove a mount
    // point. Never prune here: in the sandbox the worktrees of other agents seem deleted.
    var _ = site.git.ask(site.common, "worktree", "remove", "--force", site.folder.toString());
    try {
      Files.deleteIfExists(site.folder);
    } catch (IOException e) {
      LOG.warn("cannot remove a worktree", "agent", agent.handle(), "folder", site.folder);
    }
  }

  /// A worktree, with its own git directory `own` and the shared one `common`.
  private record WorktreeCheckout(GitCommand git, Path folder, Path common, Path own) {
    GitCommand.CommandResult run(String... arguments) {
      return git.of(own, folder).in(folder, arguments);
    }

    GitCommand.CommandResult attempt(String... arguments) {
      return git.of(own, folder).attempt(folder, arguments);
    }

    /// The same, with a separate git index.
    WorktreeCheckout withIndex(TemporaryGitIndex draft) {
      return new WorktreeCheckout(git.withIndex(draft.file()), folder, common, own);
    }

    /// Ignores changes inside nested repositories: their configuration is not trusted.
    GitCommand.CommandResult diff(String... arguments) {
      var words = new ArrayList<>(List.of("diff", "--no-ext-diff", "--ignore-submodules=dirty"));
      words.addAll(List.of(arguments));
      return run(words.toArray(String[]::new));
    }
  }

  /// Reads the path of the repository from the database, because the agent can change the one that
  /// the worktree names.
  private WorktreeCheckout site(Agent agent) {
    Path folder = workspaces.worktree(agent);
    Path common = branch(agent).repository();
    Path own = common.resolve("worktrees").resolve(agent.id().value());
    if (!Files.isDirectory(folder) || !Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
      throw notFound(agent);
    }
    var git =
        new GitCommand(workspaces.sandbox(), Workspaces.strength(agent), common, List.of(folder));
    return new WorktreeCheckout(git, folder, common, own);
  }

  private AgentBranch branch(Agent agent) {
    return database
        .<Optional<AgentBranch>>read(tx -> Worktrees.find(tx, agent.id()))
        .orElseThrow(() -> notFound(agent));
  }

  private static Fault notFound(Agent agent) {
    return ErrorCode.NOT_FOUND.fault(
        agent.handle() + " has no branch of its own",
        agent.config().workspaceOrDefault().isWorktree() && agent.parent() != null
            ? "its branch is created in its first turn"
            : "set workspace.mode: worktree, and give the agent a parent; spawned agents "
                + "inherit the mode of their parent");
  }

  /// A temporary copy of a worktree's git index, so that the agent's own index is not changed.
  private record TemporaryGitIndex(Path file) implements AutoCloseable {
    /// `own` is the git directory of the worktree.
    static TemporaryGitIndex of(Path own) throws IOException {
      Path file = own.resolve("substrat-" + UUID.randomUUID());
      Path noted = own.resolve("index");
      if (Files.isRegularFile(noted, LinkOption.NOFOLLOW_LINKS)) {
        Files.copy(noted, file, LinkOption.NOFOLLOW_LINKS);
        SharedFileOwnership.inherit(file);
      }
      return new TemporaryGitIndex(file);
    }

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(file);
    }
  }
}
