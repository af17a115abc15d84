package dev.substrat.platform.sandbox;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.platform.process.ProcessSupervision;
import dev.substrat.platform.sandbox.SandboxPolicy.SandboxLevel;
import dev.substrat.platform.sandbox.SandboxRestrictions.RestrictionPrograms;
import dev.substrat.platform.sandbox.SandboxSettings.SandboxMode;
import dev.substrat.protocol.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Starts programs in a bubblewrap sandbox. On a machine where bubblewrap does not work, programs
/// start without a sandbox and the daemon logs a warning, unless a sandbox is required.
///
/// Safe for many threads: the first call detects whether the sandbox works, the others wait for it.
public final class Sandbox {
  private static final Log LOG = Log.of(Sandbox.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final int MAX_LINE_LENGTH = 1 << 10;

  private final String path;
  private final @Nullable String unwanted;
  private final SandboxSettings settings;
  private final boolean isRoot;
  private final ResourceWatcher watcher;
  private final AtomicBoolean saidPlain = new AtomicBoolean();
  private @Nullable SandboxDetection found;

  private Sandbox(
      String path, @Nullable String unwanted, SandboxSettings settings, boolean isRoot) {
    this.path = path;
    this.unwanted = unwanted;
    this.settings = settings;
    this.isRoot = isRoot;
    this.watcher = new ResourceWatcher(settings.limits());
  }

  /// Whether the sandbox works on this machine, and the reason if not.
  public record SandboxState(boolean works, String detail) {}

  /// `isScoped`: programs cannot reach abstract sockets outside.
  private record SandboxDetection(
      Optional<BubblewrapCommand> bubblewrap, SandboxState state, boolean isScoped) {}

  /// A way to start bubblewrap, see [SandboxRestrictions] and [LandlockScope].
  private record SandboxMethod(boolean isNested, boolean isScoped) {}

  /// Sandbox of this machine, if bubblewrap is on the PATH and works.
  public static Sandbox onPath(String path) {
    return onPath(path, SandboxSettings.DEFAULT);
  }

  public static Sandbox onPath(String path, SandboxSettings settings) {
    return new Sandbox(path, null, settings, SandboxUser.isDaemonRoot());
  }

  /// Sandbox of a daemon that is not root, also if this process is.
  static Sandbox ofOrdinaryUser(String path, SandboxSettings settings) {
    return new Sandbox(path, null, settings, false);
  }

  /// No sandbox, for `reason`.
  public static Sandbox none(String reason) {
    return none(reason, SandboxSettings.DEFAULT);
  }

  static Sandbox none(String reason, SandboxSettings settings) {
    return new Sandbox("", reason, settings, false);
  }

  public SandboxSettings settings() {
    return settings;
  }

  public SandboxState state() {
    return found().state();
  }

  public boolean works() {
    return state().works();
  }

  /// User that programs run as in the sandbox, if it is not the daemon's own.
  public Optional<SandboxUser> user() {
    return found().bubblewrap().flatMap(bubblewrap -> bubblewrap.confinement().user());
  }

  /// Wraps a launch so that the program starts in a sandbox. Without a working sandbox the launch
  /// is unchanged; if a sandbox is required, it fails.
  public LaunchParameters launch(LaunchParameters launch, SandboxPolicy policy) {
    boolean isRequired =
        settings.mode() == SandboxMode.REQUIRED || policy.strength() == SandboxLevel.REQUIRED;
    if (policy.strength() == SandboxLevel.OFF) {
      requireOptional();
      return launch;
    }
    SandboxDetection here = found();
    if (here.bubblewrap().isPresent()) {
      SandboxPolicy closed = policy.hiding(settings.hidden());
      user().ifPresent(user -> SharedFileOwnership.makeUsable(user, closed));
      SandboxEnvironment environment = SandboxEnvironment.of(inside(launch, closed));
      return new LaunchParameters(
          here.bubblewrap()
              .get()
              .around(environment.before(launch.command()), launch.directory(), closed),
          launch.directory(),
          environment.variables(),
          launch.redact(),
          launch.longestLine(),
          new SandboxSupervision(here.isScoped(), watcher, closed.writable()));
    }
    if (isRequired) {
      throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
          "a sandbox is required, but does not work on this machine: " + here.state().detail(),
          "run ./substrat doctor to see what is missing; without a sandbox programs start only if"
              + " sandbox (daemon) and workspace.sandbox (agent) are auto");
    }
    if (saidPlain.compareAndSet(false, true)) {
      LOG.warn("programs run without a sandbox", "reason", here.state().detail());
    }
    return launch;
  }

  /// The limit that stopped a program with this exit code and output; empty if none did, or if it
  /// ran without a sandbox.
  public Optional<String> limitReached(ChildProcess child, OptionalInt code, String output) {
    return child
        .stopReason()
        .or(() ->
            works() && code.isPresent()
                ? settings.limits().reached(code.getAsInt(), output)
                : Optional.empty());
  }

  /// Rejects `workspace.sandbox: off` if the daemon requires a sandbox.
  private void requireOptional() {
    if (settings.mode() == SandboxMode.REQUIRED) {
      throw ErrorCode.SANDBOX_REQUIRED.fault(
          "this daemon starts no program without a sandbox, and workspace.sandbox is off",
          "remove workspace.sandbox from the agent's configuration, or set sandbox: auto in the"
              + " daemon's");
    }
  }

  /// Whether programs in the sandbox may write to this path.
  public boolean canWrite(Path path) throws IOException {
    Optional<SandboxUser> user = user();
    return user.isEmpty() || user.get().canWrite(path);
  }

  /// Makes a folder of the daemon writable in the sandbox: if programs run as another user, that
  /// user becomes the owner of root's files in it.
  public void handOver(Path folder) throws IOException {
    Optional<SandboxUser> user = user();
    if (user.isPresent()) {
      SharedFileOwnership.changeOwner(folder, user.get());
    }
  }

  /// The same, unless the folder was handed over before: a large folder takes long.
  public void handOverOnce(Path folder) throws IOException {
    if (user().isPresent() && SharedFileOwnership.isRoots(folder)) {
      handOver(folder);
    }
  }

  /// The working directory is HOME, unless the launch sets one: the daemon's home is not visible.
  private Map<String, String> inside(LaunchParameters launch, SandboxPolicy policy) {
    var environment = new HashMap<String, String>();
    if (policy.base() == SandboxPolicy.BaseFiles.PROGRAMS) {
      environment.put("HOME", launch.directory().toAbsolutePath().toString());
    } else if (user().isPresent()) {
      environment.put("HOME", "/tmp");
    }
    if (user().isPresent()) {
      // Git rejects repositories of another user. The files that git would execute are protected,
      // so this is safe.
      environment.putAll(
          Map.of(
              "GIT_CONFIG_COUNT",
              "1",
              "GIT_CONFIG_KEY_0",
              "safe.directory",
              "GIT_CONFIG_VALUE_0",
              "*"));
    }
    environment.put("TMPDIR", "/tmp");
    environment.putAll(launch.environment());
    return environment;
  }

  private synchronized SandboxDetection found() {
    if (found == null) {
      found = detect();
    }
    return found;
  }

  private SandboxDetection detect() {
    if (unwanted != null) {
      return without(unwanted);
    }
    Optional<Path> program = find("bwrap");
    if (program.isEmpty()) {
      return without("bubblewrap is not installed");
    }
    var tools =
        new RestrictionPrograms(
            program.get(),
            find("setpriv"),
            find("prlimit"),
            find("choom"),
            SeccompFilter.here().map(SeccompFilterFile::new));
    if (isRoot && tools.setpriv().isEmpty()) {
      return without("the daemon runs as root, and setpriv (util-linux) is not installed");
    }
    SandboxDetection found = without("bubblewrap cannot be started");
    for (SandboxMethod way : ways()) {
      found = attempt(tools, way);
      if (found.state().works()) {
        break;
      }
    }
    return found;
  }

  /// Best first. A setuid bubblewrap cannot be scoped, and few machines allow nested sandboxes for
  /// root but no user namespaces for other users.
  private List<SandboxMethod> ways() {
    boolean canScope = LandlockScope.isSupported();
    return Stream.of(
            new SandboxMethod(true, true),
            new SandboxMethod(true, false),
            new SandboxMethod(false, true),
            new SandboxMethod(false, false))
        .filter(way -> (!way.isNested() || isRoot) && (!way.isScoped() || canScope))
        .toList();
  }

  private SandboxDetection attempt(RestrictionPrograms tools, SandboxMethod way) {
    Optional<SandboxUser> user = isRoot ? Optional.of(settings.user()) : Optional.empty();
    var confinement =
        new SandboxRestrictions(
            tools, settings.limits(), user, way.isNested(), Optional.ofNullable(settings.cgroup()));
    var bubblewrap = new BubblewrapCommand(confinement, new DirectoryCache());
    return refusal(bubblewrap, way)
        .map(Sandbox::without)
        .orElseGet(() -> {
          var state = new SandboxState(true, tools.bubblewrap().toString());
          return new SandboxDetection(Optional.of(bubblewrap), state, way.isScoped());
        });
  }

  private Optional<Path> find(String name) {
    return Stream.of(path.split(File.pathSeparator))
        .filter(place -> !place.isEmpty())
        .map(place -> Path.of(place, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static SandboxDetection without(String reason) {
    return new SandboxDetection(Optional.empty(), new SandboxState(false, reason), false);
  }

  /// Tries it: many machines have bubblewrap installed, but forbid what it needs.
  private Optional<String> refusal(BubblewrapCommand bubblewrap, SandboxMethod way) {
    var launch =
        new LaunchParameters(
            bubblewrap.around(List.of("true"), Path.of("/"), SandboxPolicy.BARE),
            Path.of("/"),
            Map.of(),
            UnaryOperator.identity(),
            MAX_LINE_LENGTH,
            new SandboxSupervision(way.isScoped(), watcher, List.of()));
    try (var child = ChildProcess.start(launch)) {
      OptionalInt code = child.exit(TIMEOUT);
      return code.isPresent() && code.getAsInt() == 0
          ? Optional.empty()
          : Optional.of("bubblewrap does not work: " + child.lastWords());
    } catch (IOException e) {
      return Optional.of("bubblewrap cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("the check of bubblewrap was interrupted");
    }
  }

  /// Short-lived cache of the machine's directory layout: files and their permissions change while
  /// the daemon runs.
  ///
  /// Safe for many threads: the first thread that finds the entry expired reloads it, the others
  /// wait.
  private static final class DirectoryCache implements Supplier<SystemDirectories> {
    private static final Duration LONG_AGO = Duration.ofMinutes(1);

    /// Limits scanning to this share of the time: a machine with many files is scanned less often.
    private static final int SHARE = 50;

    private @Nullable SystemDirectories seen;
    private long until;

    @Override
    public synchronized SystemDirectories get() {
      long begin = System.nanoTime();
      if (seen == null || begin - until > 0) {
        seen = SystemDirectories.here();
        long end = System.nanoTime();
        until = end + Math.max(LONG_AGO.toNanos(), SHARE * (end - begin));
      }
      return seen;
    }
  }

  /// Restrictions that bubblewrap has no option for. If `isScoped`, abstract sockets are out of
  /// reach. The `watcher` stops a sandbox that uses too much memory, or too much space on the disks
  /// of its `writable` folders.
  private record SandboxSupervision(boolean isScoped, ResourceWatcher watcher, List<Path> writable)
      implements ProcessSupervision {
    @Override
    public void prepare() throws IOException {
      if (isScoped) {
        LandlockScope.enter();
      }
    }

    @Override
    public void started(ChildProcess child) {
      watcher.watch(child, writable);
    }
  }

  /// Environment variables of a sandboxed program, in two groups: `variables` are passed to the
  /// processes that build the sandbox, which run outside of it and pass them on; `inside` are set
  /// for the program only.
  ///
  /// Variables that tell a loader or a shell what to run would take effect outside, with the rights
  /// of the daemon. Variables with invalid names, such as functions exported by bash, are omitted.
  private record SandboxEnvironment(Map<String, String> variables, Map<String, String> inside) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    private static final Pattern TAKES_EFFECT =
        Pattern.compile(
            "LD_.*|GLIBC_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|BASH.*|ENV|SHELLOPTS|PS4|IFS|CDPATH");

    static SandboxEnvironment of(Map<String, String> environment) {
      var variables = new HashMap<String, String>();
      var inside = new TreeMap<String, String>();
      environment.forEach((name, value) -> {
        if (TAKES_EFFECT.matcher(name).matches()) {
          inside.put(name, value);
        } else if (NAME.matcher(name).matches()) {
          variables.put(name, value);
        }
      });
      inside.keySet().removeIf(name -> !NAME.matcher(name).matches());
      return new SandboxEnvironment(variables, inside);
    }

    /// The command, with its own variables set by env(1) after all privileges are dropped.
    List<String> before(List<String> command) {
      if (inside.isEmpty()) {
        return command;
      }
      var words = new ArrayList<String>();
      words.add("/usr/bin/env");
      inside.forEach((name, value) -> words.add(name + "=" + value));
      words.addAll(command);
      return words;
    }
  }
}
