package dev.substrat.sandbox;

import dev.substrat.fault.Fault;
import dev.substrat.log.Log;
import dev.substrat.process.ChildProcess;
import dev.substrat.process.ChildProcess.Launch;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.sandbox.Walls.Strength;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Puts programs behind walls, with bubblewrap where it works; elsewhere they run plain, and that
/// is said.
///
/// Safe for many threads: whether it works here is found out once, by the first who asks.
public final class Sandbox {
  private static final Log LOG = Log.of(Sandbox.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final String path;
  private final @Nullable String unwanted;
  private final AtomicBoolean saidPlain = new AtomicBoolean();
  private @Nullable Found found;

  private Sandbox(String path, @Nullable String unwanted) {
    this.path = path;
    this.unwanted = unwanted;
  }

  /// Whether there are walls on this machine, and why not.
  public record State(boolean works, String detail) {}

  private record Found(Optional<Bubblewrap> walls, State state) {}

  /// The one of this machine, if bubblewrap is on the PATH and can do its work.
  public static Sandbox onPath(String path) {
    return new Sandbox(path, null);
  }

  /// None, for `reason`.
  public static Sandbox none(String reason) {
    return new Sandbox("", reason);
  }

  public State state() {
    return found().state();
  }

  public boolean works() {
    return state().works();
  }

  /// How to start the program behind the walls. Where none can be had it is started as it is,
  /// unless they are required.
  public Launch launch(Launch launch, Walls walls) {
    if (walls.strength() == Strength.OFF) {
      return launch;
    }
    Found here = found();
    if (here.walls().isPresent()) {
      return new Launch(
          here.walls().get().around(launch.command(), launch.directory(), walls),
          launch.directory(),
          inside(launch, walls),
          launch.redact(),
          launch.longestLine());
    }
    if (walls.strength() == Strength.REQUIRED) {
      throw new Fault(
          ErrorCode.SANDBOX_UNAVAILABLE,
          "the sandbox that is required does not work here: " + here.state().detail(),
          "install bubblewrap and allow user namespaces, or set workspace.sandbox to auto");
    }
    if (saidPlain.compareAndSet(false, true)) {
      LOG.warn("programs run without a sandbox", "reason", here.state().detail());
    }
    return launch;
  }

  /// Its home is where it works, unless it was given one: that of the daemon is not there.
  private static Map<String, String> inside(Launch launch, Walls walls) {
    var environment = new HashMap<String, String>();
    if (walls.base() == Walls.Base.PROGRAMS) {
      environment.put("HOME", launch.directory().toAbsolutePath().toString());
    }
    environment.put("TMPDIR", "/tmp");
    environment.putAll(launch.environment());
    return environment;
  }

  private synchronized Found found() {
    if (found == null) {
      found = look();
    }
    return found;
  }

  private Found look() {
    if (unwanted != null) {
      return without(unwanted);
    }
    Optional<Path> program =
        Stream.of(path.split(File.pathSeparator))
            .filter(place -> !place.isEmpty())
            .map(place -> Path.of(place, "bwrap"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty()) {
      return without("bubblewrap is not installed");
    }
    var walls = new Bubblewrap(program.get(), new RecentFolders());
    return refusal(walls)
        .map(Sandbox::without)
        .orElseGet(() -> new Found(Optional.of(walls), new State(true, program.get().toString())));
  }

  private static Found without(String reason) {
    return new Found(Optional.empty(), new State(false, reason));
  }

  /// Being installed is not enough: many machines forbid what it needs.
  private static Optional<String> refusal(Bubblewrap walls) {
    var launch =
        new Launch(
            walls.around(List.of("true"), Path.of("/"), Walls.BARE),
            Path.of("/"),
            Map.of(),
            UnaryOperator.identity());
    try (var child = ChildProcess.start(launch)) {
      OptionalInt code = child.exit(PATIENCE);
      return code.isPresent() && code.getAsInt() == 0
          ? Optional.empty()
          : Optional.of("bubblewrap does not work: " + child.lastWords());
    } catch (IOException e) {
      return Optional.of("bubblewrap cannot be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("looking at bubblewrap was interrupted");
    }
  }
}
