package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Rules of a sandbox: visible files, writable files and network access. Everything else is absent:
/// no home directory, no other processes, no capabilities, a private `/tmp`, and only the
/// environment of the launch.
///
/// `hidden` folders and files stay invisible even if a view shows them; a view inside a hidden
/// folder is visible.
public record SandboxPolicy(
    SandboxLevel strength,
    BaseFiles base,
    List<VisiblePath> views,
    List<Path> hidden,
    boolean hasNetwork) {

  /// No sandbox.
  public static final SandboxPolicy NONE =
      new SandboxPolicy(SandboxLevel.OFF, BaseFiles.MACHINE, List.of(), List.of(), true);

  /// Programs and their libraries only.
  public static final SandboxPolicy BARE =
      new SandboxPolicy(
          SandboxLevel.WHERE_POSSIBLE, BaseFiles.PROGRAMS, List.of(), List.of(), false);

  /// Every file of this machine, read-only.
  public static final SandboxPolicy READ_ONLY =
      new SandboxPolicy(
          SandboxLevel.WHERE_POSSIBLE, BaseFiles.MACHINE, List.of(), List.of(), false);

  /// Paths that programs need to start; a view must not cover them.
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

  /// Private in every sandbox.
  public static final Path TMP = Path.of("/tmp");

  /// What happens if the sandbox does not work on this machine.
  public enum SandboxLevel {
    /// No sandbox is used.
    OFF,
    /// The program runs without a sandbox, and the daemon logs a warning.
    WHERE_POSSIBLE,
    /// The program does not run.
    REQUIRED
  }

  /// Files that are visible before any view is added, read-only.
  public enum BaseFiles {
    PROGRAMS,
    MACHINE
  }

  /// A path of this machine, visible as `at`.
  public record VisiblePath(Path path, Path at, PathAccess access) {
    public VisiblePath {
      path = path.toAbsolutePath().normalize();
      at = at.toAbsolutePath().normalize();
    }
  }

  /// Kind of access to a visible path.
  public enum PathAccess {
    READ,
    WRITE,
    /// A link that stays a link: its target is visible only if another view shows it.
    FOLLOW
  }

  public SandboxPolicy {
    views = List.copyOf(views);
    hidden = hidden.stream().map(path -> path.toAbsolutePath().normalize()).distinct().toList();
  }

  /// Whether a view at `place` would cover files that programs need.
  public static boolean isNeeded(Path place) {
    return NEEDED.stream().anyMatch(needed -> needed.startsWith(place))
        || place.startsWith("/dev")
        || place.startsWith("/proc");
  }

  /// Whether showing `real`, which contains no links, would show `folder`, a part of it or a parent
  /// of it.
  public static boolean overlaps(Path real, Path folder) {
    Path other = folder.toAbsolutePath().normalize();
    try {
      other = other.toRealPath();
    } catch (IOException e) {
      // It does not exist yet, so its path contains no links.
    }
    return real.startsWith(other) || other.startsWith(real);
  }

  /// Adds a readable file or folder.
  public SandboxPolicy reading(Path path) {
    return showing(new VisiblePath(path, path, PathAccess.READ));
  }

  /// Adds a writable file or folder.
  public SandboxPolicy writing(Path path) {
    return showing(new VisiblePath(path, path, PathAccess.WRITE));
  }

  /// Adds a link as a link, unless its directory is visible anyway.
  public SandboxPolicy linking(Path link) {
    return showing(new VisiblePath(link, link, PathAccess.FOLLOW));
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

  /// Writable paths of this machine.
  List<Path> writable() {
    return views.stream()
        .filter(view -> view.access() == PathAccess.WRITE)
        .map(VisiblePath::path)
        .toList();
  }

  public SandboxPolicy withNetwork() {
    return new SandboxPolicy(strength, base, views, hidden, true);
  }

  public SandboxPolicy as(SandboxLevel other) {
    return new SandboxPolicy(other, base, views, hidden, hasNetwork);
  }

  private static <T> List<T> with(List<T> list, T another) {
    return Stream.concat(list.stream(), Stream.of(another)).toList();
  }
}
