package dev.substrat.toolset.workspace;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.PathAccess;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.toolset.workspace.ConfinedDirectory.MissingDirectoryPolicy;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Workspaces of agents and the sandbox policies for programs that run in them.
///
/// Stateless: the location of a workspace follows from the configuration of the agent and its
/// parents.
public final class Workspaces {
  private final Database database;
  private final Sandbox sandbox;
  private final AllowedDirectories allowed;
  private final Worktrees worktrees;

  /// `data` is the daemon's data directory, which no sandbox shows.
  public Workspaces(Database database, Sandbox sandbox, InstantSource clock, Path data) {
    this.database = database;
    this.sandbox = sandbox;
    this.allowed =
        new AllowedDirectories(data.toAbsolutePath().normalize(), sandbox.settings().hidden());
    this.worktrees = new Worktrees(database, sandbox, clock);
  }

  public Sandbox sandbox() {
    return sandbox;
  }

  /// The daemon's data directory.
  Path data() {
    return allowed.data();
  }

  /// The agent's working directory, created if necessary. Checked on every call: no link leads out
  /// of the directory that people or the daemon chose. Slow; do not call it in a transaction.
  public Path directory(Agent agent) {
    return confinedDirectory(agent).folder();
  }

  /// Rejects a configuration whose directories do not exist on this machine or would show files of
  /// the daemon.
  public void require(AgentConfig config) {
    allowed.require(config);
  }

  /// The same, for access to the files in it.
  ConfinedDirectory confinedDirectory(Agent agent) {
    return open(agent.handle(), place(agent));
  }

  /// The worktree of the agent's branch; the agent may work in a subdirectory of it.
  Path worktree(Agent agent) {
    return place(agent).anchor();
  }

  boolean hasWorktree(AgentId agent) {
    return Files.isDirectory(allowed.workspaces().resolve(agent.value()));
  }

  public BranchDiffReader diffs() {
    return new BranchDiffReader(database, this);
  }

  /// Checks that a child of the agent can work in this part of its workspace, and on its own branch
  /// if the mode is `worktree`.
  public void requireFree(Agent parent, @Nullable String subdir) {
    SafePath inside = subdir == null ? SafePath.ROOT : part(subdir);
    boolean isWorktree = parent.config().workspaceOrDefault().isWorktree();
    if (isWorktree) {
      repository(parent);
    } else if (subdir != null) {
      open(parent.handle(), place(parent).inside(inside));
    }
  }

  private static SafePath part(String subdir) {
    String hint = "for example \"frontend\" or \"services/api\"";
    try {
      SafePath part = SafePath.parsePart("/workspace_subdir", subdir);
      if (!part.isRoot()) {
        return part;
      }
    } catch (Fault fault) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(fault.message(), hint, fault);
    }
    throw ErrorCode.INVALID_ARGUMENTS.fault(
        "/workspace_subdir must be a part of your workspace", hint);
  }

  private GitRepository repository(Agent agent) {
    WorkspaceLocation place = place(agent);
    ConfinedDirectory directory = open(agent.handle(), place);
    return worktrees.require(real(place, directory), directory.folder(), strength(agent));
  }

  /// The location with the real path of its anchor, whose parents may be links.
  private static WorkspaceLocation real(WorkspaceLocation place, ConfinedDirectory directory) {
    return new WorkspaceLocation(directory.anchor(), place.below(), place.branch());
  }

  private ConfinedDirectory open(String handle, WorkspaceLocation place) {
    try {
      if (place.anchor().startsWith(allowed.data())) {
        Files.createDirectories(place.anchor());
        sandbox.handOverOnce(place.anchor());
      }
      if (place.branch().isPresent()) {
        Agent owner = place.branch().get();
        worktrees.createIfMissing(owner, place.anchor(), () -> repository(parent(owner)));
      }
      ConfinedDirectory directory = confinedDirectory(place);
      directory.in(SafePath.ROOT, MissingDirectoryPolicy.MADE, _ -> true);
      return directory;
    } catch (IOException e) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "the workspace of " + handle + " cannot be used: " + FileErrorMessages.of(e),
          "check that " + place.directory() + " is a writable directory and not a link",
          e);
    }
  }

  /// The agent's workspace, without creating it.
  ConfinedDirectory openExisting(Agent agent) throws IOException {
    return confinedDirectory(place(agent));
  }

  private ConfinedDirectory confinedDirectory(WorkspaceLocation place) throws IOException {
    return confinedDirectory(place.anchor(), place.below());
  }

  /// Checks the real path: a link may have changed since people configured it.
  private ConfinedDirectory confinedDirectory(Path anchor, SafePath below) throws IOException {
    var directory = new ConfinedDirectory(anchor, below, allowed.withheld());
    requireOthers(directory.anchor(), anchor.toString());
    return directory;
  }

  private void requireOthers(Path real, String name) throws IOException {
    if (allowed.isDaemons(real)) {
      throw new FileSystemException(name, null, "it belongs to the daemon");
    }
  }

  private Agent parent(Agent agent) {
    String parent = String.valueOf(agent.parent());
    return database.<Agent>read(tx -> AgentTree.find(tx, parent).orElseThrow());
  }

  /// Whether a file may be shown in a sandbox; files of the daemon may not, under any name.
  public boolean mayShow(Path file) {
    try {
      Path data = allowed.data();
      return !file.normalize().startsWith(data)
          && !file.toRealPath().startsWith(Files.exists(data) ? data.toRealPath() : data);
    } catch (IOException e) {
      // Deleted, so there is nothing to show.
      return false;
    }
  }

  /// Sandbox policy for the provider's program: its workspace, its views, and the network unless
  /// the configuration forbids it.
  public SandboxPolicy sandboxPolicy(Agent agent) {
    boolean network = !Boolean.FALSE.equals(agent.config().workspaceOrDefault().network());
    SandboxPolicy policy = closed(agent);
    return network ? policy.withNetwork() : policy;
  }

  /// Sandbox policy for the agent's commands: network access only if the configuration allows it.
  SandboxPolicy commandSandboxPolicy(Agent agent) {
    boolean network = Boolean.TRUE.equals(agent.config().workspaceOrDefault().network());
    SandboxPolicy policy = closed(agent);
    return network ? policy.withNetwork() : policy;
  }

  private SandboxPolicy closed(Agent agent) {
    WorkspaceConfig config = agent.config().workspaceOrDefault();
    if (!config.isSandboxed()) {
      return SandboxPolicy.NONE;
    }
    SandboxPolicy policy = SandboxPolicy.BARE.as(strength(agent)).hiding(allowed.data());
    if (!sandbox.works()) {
      // The sandbox will not be used, so no files are created in repositories for it.
      return policy;
    }
    try {
      policy = withWorkspace(policy, agent);
      for (WorkspaceConfig.VisiblePath view : config.viewsOrNone()) {
        policy = showing(policy, agent, view);
      }
      return policy;
    } catch (IOException e) {
      throw unusable(agent.handle(), e);
    }
  }

  private SandboxPolicy showing(SandboxPolicy policy, Agent agent, WorkspaceConfig.VisiblePath view)
      throws IOException {
    Path real = real(agent, view);
    Path at = Path.of(view.place());
    if (!view.isWritable()) {
      return policy.showing(new SandboxPolicy.VisiblePath(real, at, PathAccess.READ));
    }
    return Files.isDirectory(real)
        ? GitGuard.writing(policy, confinedDirectory(real, SafePath.ROOT), at)
        : policy.showing(new SandboxPolicy.VisiblePath(real, at, PathAccess.WRITE));
  }

  /// Real path of a view: a link may have been put there since people configured it. The checked
  /// path is the one that is shown.
  private Path real(Agent agent, WorkspaceConfig.VisiblePath view) {
    try {
      Path real = Path.of(view.path()).toRealPath();
      requireOthers(real, view.path());
      return real;
    } catch (IOException e) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "a view of " + agent.handle() + " cannot be shown: " + FileErrorMessages.of(e),
          "check that " + view.path() + " exists and does not belong to the daemon",
          e);
    }
  }

  /// Adds the workspace and the git files needed there, with the files that git executes read-only.
  private SandboxPolicy withWorkspace(SandboxPolicy policy, Agent agent) throws IOException {
    WorkspaceLocation place = place(agent);
    ConfinedDirectory directory = open(agent.handle(), place);
    if (place.branch().isEmpty()) {
      return GitGuard.writing(policy, directory, directory.folder());
    }
    GitRepository repository =
        worktrees.require(real(place, directory), directory.folder(), strength(agent));
    String name = place.branch().get().id().value();
    return GitGuard.branch(policy, directory.anchor(), repository.common(), name);
  }

  /// Adds a working directory that a person chose. The files that git executes are read-only there,
  /// too.
  public SandboxPolicy working(SandboxPolicy policy, Agent agent, Path directory) {
    try {
      return !sandbox.works()
          ? policy
          : GitGuard.writing(policy, confinedDirectory(directory, SafePath.ROOT), directory);
    } catch (IOException e) {
      throw unusable(agent.handle(), e);
    }
  }

  private static Fault unusable(String handle, IOException e) {
    return ErrorCode.PATH_BLOCKED.fault(
        "the git repository of " + handle + " cannot be used: " + FileErrorMessages.of(e),
        "check that its .git contains no links and that the daemon can write to it",
        e);
  }

  /// An agent that requires a sandbox requires it for the daemon's git commands, too.
  static SandboxLevel strength(Agent agent) {
    return agent.config().workspaceOrDefault().requiresSandbox()
        ? SandboxLevel.REQUIRED
        : SandboxLevel.WHERE_POSSIBLE;
  }

  WorkspaceLocation place(Agent agent) {
    return database.read(tx -> WorkspaceLocation.of(tx, agent, allowed.workspaces()));
  }
}
