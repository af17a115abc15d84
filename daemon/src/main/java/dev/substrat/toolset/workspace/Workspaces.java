package dev.substrat.toolset.workspace;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxPolicy.Access;
import dev.substrat.platform.sandbox.SandboxPolicy.Level;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.AgentTree;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.toolset.workspace.ConfinedDirectory.Missing;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// Where agents work, and the walls around them.
///
/// Keeps nothing: an agent's place follows from its configuration and its parents'.
public final class Workspaces {
  private final Database database;
  private final Sandbox sandbox;
  private final AllowedDirectories territory;
  private final Worktrees worktrees;

  /// `data` is the daemon's own folder; it is behind the walls of everybody.
  public Workspaces(Database database, Sandbox sandbox, InstantSource clock, Path data) {
    this.database = database;
    this.sandbox = sandbox;
    this.territory =
        new AllowedDirectories(data.toAbsolutePath().normalize(), sandbox.settings().hidden());
    this.worktrees = new Worktrees(database, sandbox, clock);
  }

  public Sandbox sandbox() {
    return sandbox;
  }

  /// The daemon's own folder.
  Path data() {
    return territory.data();
  }

  /// Where the agent works, looked at afresh: it is there, and no link on the way leads out of the
  /// folder that people or the daemon chose. Slow; not for transactions.
  public Path directory(Agent agent) {
    return confinedDirectory(agent).folder();
  }

  /// What people say about a workspace must be so on this machine, and must not show anybody what
  /// is the daemon's.
  public void require(AgentConfig config) {
    territory.require(config);
  }

  /// The same, to go to and fro in.
  ConfinedDirectory confinedDirectory(Agent agent) {
    return open(agent.handle(), place(agent));
  }

  /// The worktree that the agent's branch is checked out in, wherever in it the agent works.
  Path worktree(Agent agent) {
    return place(agent).anchor();
  }

  boolean hasWorktree(AgentId agent) {
    return Files.isDirectory(territory.workspaces().resolve(agent.value()));
  }

  public BranchDiffs diffs() {
    return new BranchDiffs(database, this);
  }

  /// Whether a child of the agent can work in that part of its workspace, and on a branch of its
  /// own if that is how they work there.
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
      throw new Fault(ErrorCode.INVALID_ARGUMENTS, fault.message(), hint, fault);
    }
    throw new Fault(
        ErrorCode.INVALID_ARGUMENTS, "/workspace_subdir must be a part of your workspace", hint);
  }

  private GitRepository repository(Agent agent) {
    WorkspaceLocation place = place(agent);
    ConfinedDirectory room = open(agent.handle(), place);
    return worktrees.require(real(place, room), room.folder(), strength(agent));
  }

  /// Links above a folder that people chose are theirs.
  private static WorkspaceLocation real(WorkspaceLocation place, ConfinedDirectory room) {
    return new WorkspaceLocation(room.anchor(), place.below(), place.branch());
  }

  private ConfinedDirectory open(String handle, WorkspaceLocation place) {
    try {
      if (place.anchor().startsWith(territory.data())) {
        Files.createDirectories(place.anchor());
        sandbox.handOverOnce(place.anchor());
      }
      if (place.branch().isPresent()) {
        Agent owner = place.branch().get();
        worktrees.createIfMissing(owner, place.anchor(), () -> repository(parent(owner)));
      }
      ConfinedDirectory room = confinedDirectory(place);
      room.in(SafePath.ROOT, Missing.MADE, _ -> true);
      return room;
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "the workspace of " + handle + " cannot be used: " + FileErrors.of(e),
          "see that " + place.directory() + " is a directory, not a link, that the daemon may use",
          e);
    }
  }

  /// Where the agent works, if it is there: nothing is made.
  ConfinedDirectory look(Agent agent) throws IOException {
    return confinedDirectory(place(agent));
  }

  private ConfinedDirectory confinedDirectory(WorkspaceLocation place) throws IOException {
    return confinedDirectory(place.anchor(), place.below());
  }

  /// A link may have been led elsewhere since people named it.
  private ConfinedDirectory confinedDirectory(Path anchor, SafePath below) throws IOException {
    var room = new ConfinedDirectory(anchor, below, territory.withheld());
    requireOthers(room.anchor(), anchor.toString());
    return room;
  }

  private void requireOthers(Path real, String name) throws IOException {
    if (territory.isDaemons(real)) {
      throw new FileSystemException(name, null, "it is the daemon's own folder");
    }
  }

  private Agent parent(Agent agent) {
    String parent = String.valueOf(agent.parent());
    return database.<Agent>read(tx -> AgentTree.find(tx, parent).orElseThrow());
  }

  /// Whether a file may be shown in a sandbox: one of the daemon's own may not, under any name.
  public boolean mayShow(Path file) {
    try {
      Path data = territory.data();
      return !file.normalize().startsWith(data)
          && !file.toRealPath().startsWith(Files.exists(data) ? data.toRealPath() : data);
    } catch (IOException e) {
      // It has gone, so there is nothing to show.
      return false;
    }
  }

  /// What the agent's mind may see, change and reach, if it is a program: its workspace, what
  /// people let it see, and the network unless they said no.
  public SandboxPolicy sandboxPolicy(Agent agent) {
    boolean network = !Boolean.FALSE.equals(agent.config().workspaceOrDefault().network());
    SandboxPolicy walls = closed(agent);
    return network ? walls.withNetwork() : walls;
  }

  /// The same for the commands it runs: they have a network only if people said so.
  SandboxPolicy commandSandboxPolicy(Agent agent) {
    boolean network = Boolean.TRUE.equals(agent.config().workspaceOrDefault().network());
    SandboxPolicy walls = closed(agent);
    return network ? walls.withNetwork() : walls;
  }

  private SandboxPolicy closed(Agent agent) {
    WorkspaceConfig config = agent.config().workspaceOrDefault();
    if (!config.isSandboxed()) {
      return SandboxPolicy.NONE;
    }
    SandboxPolicy walls = SandboxPolicy.BARE.as(strength(agent)).hiding(territory.data());
    if (!sandbox.works()) {
      // There will be none, so nothing is prepared for them in anybody's repository.
      return walls;
    }
    try {
      walls = withWorkspace(walls, agent);
      for (WorkspaceConfig.View view : config.viewsOrNone()) {
        walls = showing(walls, agent, view);
      }
      return walls;
    } catch (IOException e) {
      throw unusable(agent.handle(), e);
    }
  }

  private SandboxPolicy showing(SandboxPolicy walls, Agent agent, WorkspaceConfig.View view)
      throws IOException {
    Path real = real(agent, view);
    Path at = Path.of(view.place());
    if (!view.isWritable()) {
      return walls.showing(new SandboxPolicy.VisiblePath(real, at, Access.READ));
    }
    return Files.isDirectory(real)
        ? GitGuard.writing(walls, confinedDirectory(real, SafePath.ROOT), at)
        : walls.showing(new SandboxPolicy.VisiblePath(real, at, Access.WRITE));
  }

  /// Where a view leads now: whoever works around it may have put a link there since people named
  /// it. What was looked at is what is shown.
  private Path real(Agent agent, WorkspaceConfig.View view) {
    try {
      Path real = Path.of(view.path()).toRealPath();
      requireOthers(real, view.path());
      return real;
    } catch (IOException e) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "a view of " + agent.handle() + " cannot be shown: " + FileErrors.of(e),
          "see that " + view.path() + " is there, and leads to nothing of the daemon's",
          e);
    }
  }

  /// Its files, and what git needs to work there; but not what git would run.
  private SandboxPolicy withWorkspace(SandboxPolicy walls, Agent agent) throws IOException {
    WorkspaceLocation place = place(agent);
    ConfinedDirectory room = open(agent.handle(), place);
    if (place.branch().isEmpty()) {
      return GitGuard.writing(walls, room, room.folder());
    }
    GitRepository repository = worktrees.require(real(place, room), room.folder(), strength(agent));
    String name = place.branch().get().id().value();
    return GitGuard.branch(walls, room.anchor(), repository.common(), name);
  }

  /// The same walls around one who works in a directory of a person's choice. What git would run
  /// cannot be written there either.
  public SandboxPolicy working(SandboxPolicy walls, Agent agent, Path directory) {
    try {
      return !sandbox.works()
          ? walls
          : GitGuard.writing(walls, confinedDirectory(directory, SafePath.ROOT), directory);
    } catch (IOException e) {
      throw unusable(agent.handle(), e);
    }
  }

  private static Fault unusable(String handle, IOException e) {
    return new Fault(
        ErrorCode.PATH_BLOCKED,
        "a repository that " + handle + " works in cannot be used: " + FileErrors.of(e),
        "see that what is in its .git are folders and files, no links, which the daemon may write",
        e);
  }

  /// What is done for an agent that runs nothing without walls needs them, too.
  static Level strength(Agent agent) {
    return agent.config().workspaceOrDefault().requiresSandbox()
        ? Level.REQUIRED
        : Level.WHERE_POSSIBLE;
  }

  WorkspaceLocation place(Agent agent) {
    return database.read(tx -> WorkspaceLocation.of(tx, agent, territory.workspaces()));
  }
}
