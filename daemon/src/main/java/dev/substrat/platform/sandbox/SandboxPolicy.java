package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a program may see, change and reach. Whatever is not said is not there: no home, no other
/// processes, no capabilities, a `/tmp` of its own, only the environment it was given.
///
/// `hidden` are folders and files that stay unseen even if a view would show them; what a view
/// shows inside a hidden folder is seen.
public record SandboxPolicy(
    Level strength, Base base, List<VisiblePath> views, List<Path> hidden, boolean hasNetwork) {

  /// No walls: somebody wanted none.
  public static final SandboxPolicy NONE =
      new SandboxPolicy(Level.OFF, Base.MACHINE, List.of(), List.of(), true);

  /// Where programs and their libraries are, and nothing else.
  public static final SandboxPolicy BARE =
      new SandboxPolicy(Level.WHERE_POSSIBLE, Base.PROGRAMS, List.of(), List.of(), false);

  /// Every file of this machine, none of which can be changed.
  public static final SandboxPolicy READ_ONLY =
      new SandboxPolicy(Level.WHERE_POSSIBLE, Base.MACHINE, List.of(), List.of(), false);

  /// Where no program starts if something else is there.
  private static final List<Path> NEEDED =
      Stream.of(
              "/usr/bin",
              "/usr/sbin",
              "/usr/lib",
              "/usr/lib64",
              "/bin",
              "/sbin",
              "/lib",
              "/lib32",
              "/lib64",
              "/libx32",
              "/etc",
              "/nix/store",
              "/dev",
              "/proc")
          .map(Path::of)
          .toList();

  /// Every program has one of its own.
  public static final Path TMP = Path.of("/tmp");

  /// What happens on a machine that can have no walls.
  public enum Level {
    /// None are wanted.
    OFF,
    /// The program runs without them, and that is said.
    WHERE_POSSIBLE,
    /// The program does not run.
    REQUIRED
  }

  /// What is there to begin with; nothing of it can be changed.
  public enum Base {
    PROGRAMS,
    MACHINE
  }

  /// Something of this machine, seen at `at`.
  public record VisiblePath(Path path, Path at, Access access) {
    public VisiblePath {
      path = path.toAbsolutePath().normalize();
      at = at.toAbsolutePath().normalize();
    }
  }

  /// What may be done with what is seen.
  public enum Access {
    READ,
    WRITE,
    /// It is a link, and stays one: what it leads to is seen only if something else shows it.
    FOLLOW
  }

  public SandboxPolicy {
    views = List.copyOf(views);
    hidden = hidden.stream().map(path -> path.toAbsolutePath().normalize()).distinct().toList();
  }

  /// Whether a view at `place` would cover what programs cannot do without.
  public static boolean isNeeded(Path place) {
    return NEEDED.stream().anyMatch(needed -> needed.startsWith(place))
        || place.startsWith("/dev")
        || place.startsWith("/proc");
  }

  /// Whether showing `real`, which has no links in it, would show something of `folder` or what it
  /// is in.
  public static boolean overlaps(Path real, Path folder) {
    Path other = folder.toAbsolutePath().normalize();
    try {
      other = other.toRealPath();
    } catch (IOException e) {
      // Not there yet: it will be where it is named.
    }
    return real.startsWith(other) || other.startsWith(real);
  }

  /// With a file or folder to look at.
  public SandboxPolicy reading(Path path) {
    return showing(new VisiblePath(path, path, Access.READ));
  }

  /// With a file or folder to change.
  public SandboxPolicy writing(Path path) {
    return showing(new VisiblePath(path, path, Access.WRITE));
  }

  /// With a link as it is, unless what it is in is seen anyway.
  public SandboxPolicy linking(Path link) {
    return showing(new VisiblePath(link, link, Access.FOLLOW));
  }

  public SandboxPolicy showing(VisiblePath view) {
    return new SandboxPolicy(strength, base, with(views, view), hidden, hasNetwork);
  }

  public SandboxPolicy hiding(Path folderOrFile) {
    return hiding(List.of(folderOrFile));
  }

  SandboxPolicy hiding(List<Path> foldersAndFiles) {
    List<Path> all = Stream.concat(hidden.stream(), foldersAndFiles.stream()).toList();
    return new SandboxPolicy(strength, base, views, all, hasNetwork);
  }

  /// What of this machine may be changed.
  List<Path> writable() {
    return views.stream()
        .filter(view -> view.access() == Access.WRITE)
        .map(VisiblePath::path)
        .toList();
  }

  public SandboxPolicy withNetwork() {
    return new SandboxPolicy(strength, base, views, hidden, true);
  }

  public SandboxPolicy as(Level other) {
    return new SandboxPolicy(other, base, views, hidden, hasNetwork);
  }

  private static <T> List<T> with(List<T> list, T another) {
    return Stream.concat(list.stream(), Stream.of(another)).toList();
  }
}
