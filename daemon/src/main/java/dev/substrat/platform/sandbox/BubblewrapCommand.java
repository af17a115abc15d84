package dev.substrat.platform.sandbox;

import dev.substrat.platform.sandbox.SandboxPolicy.BaseFiles;
import dev.substrat.platform.sandbox.SandboxPolicy.PathAccess;
import dev.substrat.platform.sandbox.SystemDirectories.MountedPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Builds the bubblewrap command line that starts a program in a sandbox. No shell interprets the
/// words of the program's command.
record BubblewrapCommand(SandboxRestrictions confinement, Supplier<SystemDirectories> system) {
  /// `/tmp` is memory: one program must not use all of it.
  private static final String TMP_SIZE = String.valueOf(1L << 30);

  /// `/dev/shm` is memory, too.
  private static final String SHARED_MEMORY_SIZE = String.valueOf(256L << 20);

  /// Kernel interfaces that show or change the whole machine, as container runtimes mask them.
  /// Bubblewrap masks only some of them, and leaves `/proc/sys` writable for root.
  private static final List<Path> READ_ONLY_KERNEL =
      Stream.of("sys", "sysrq-trigger", "irq", "bus", "fs", "pressure", "mtrr", "driver")
          .map(name -> Path.of("/proc", name))
          .toList();

  private static final List<Path> HIDDEN_KERNEL =
      Stream.of("kcore", "kmsg", "keys", "key-users", "kallsyms", "timer_list", "sched_debug")
          .map(name -> Path.of("/proc", name))
          .toList();

  /// Arguments that mount something. Sorted by depth, so that a mount inside another one is applied
  /// after it.
  private record MountArguments(int depth, List<String> words) {
    MountArguments(Path at, List<String> words) {
      this(at.getNameCount(), words);
    }
  }

  List<String> around(List<String> command, Path directory, SandboxPolicy policy) {
    var words = new ArrayList<>(confinement.before());
    words.addAll(List.of("--die-with-parent", "--new-session"));
    words.addAll(confinement.namespaces(policy.hasNetwork()));
    List<MountedPath> covers = policy.base() == BaseFiles.PROGRAMS ? covers(policy) : List.of();
    mounts(policy, covers).stream()
        .sorted(Comparator.comparingInt(MountArguments::depth))
        .forEach(mount -> words.addAll(mount.words()));
    frames(policy, covers)
        .forEach(frame -> words.addAll(List.of("--remount-ro", frame.toString())));
    Path place = directory.toAbsolutePath();
    words.addAll(List.of("--chdir", confinement.start(place).toString(), "--"));
    words.addAll(confinement.inside(place));
    words.addAll(command);
    return words;
  }

  /// Temporary file systems that only hold mount points. They use memory, so they become read-only
  /// after all mounts.
  private Set<Path> frames(SandboxPolicy policy, List<MountedPath> covers) {
    var frames = new TreeSet<Path>();
    frames.addAll(List.of(Path.of("/dev"), Path.of("/run")));
    if (policy.base() == BaseFiles.PROGRAMS) {
      frames.add(Path.of("/"));
    }
    covers.stream().filter(MountedPath::isMemory).map(MountedPath::at).forEach(frames::add);
    policy.views().stream().map(SandboxPolicy.VisiblePath::at).forEach(frames::remove);
    policy.hidden().stream()
        .filter(Files::isDirectory)
        .forEach(folder -> frames.addAll(places(folder, system.get(), policy)));
    return frames;
  }

  private List<MountArguments> mounts(SandboxPolicy policy, List<MountedPath> covers) {
    SystemDirectories folders = system.get();
    var mounts = new ArrayList<MountArguments>();
    if (policy.base() == BaseFiles.MACHINE) {
      mounts.add(new MountArguments(Path.of("/"), List.of("--ro-bind", "/", "/")));
      // A read-only mount does not prevent connections to a socket.
      SystemSockets.visibleSockets().stream()
          .filter(socket -> policy.hidden().stream().noneMatch(socket::startsWith))
          .forEach(socket -> mounts.add(bind("--ro-bind", Path.of("/dev/null"), socket)));
    } else {
      folders
          .shown()
          .forEach(folder -> mounts.add(new MountArguments(folder.at(), folder.words())));
      covers.forEach(cover -> mounts.add(new MountArguments(cover.at(), cover.words())));
    }
    // Most sockets of other programs are there.
    mounts.add(new MountArguments(1, List.of("--tmpfs", "/run")));
    if (policy.hasNetwork()) {
      folders.nameServers().ifPresent(file -> mounts.add(bind("--ro-bind", file, file)));
    }
    mounts.add(new MountArguments(1, List.of("--dev", "/dev", "--proc", "/proc")));
    mounts.add(new MountArguments(1, memory(TMP_SIZE, "/tmp")));
    mounts.add(new MountArguments(2, memory(SHARED_MEMORY_SIZE, "/dev/shm")));
    mounts.addAll(kernel());
    for (SandboxPolicy.VisiblePath view : policy.views()) {
      mount(view, folders, policy).ifPresent(mounts::add);
    }
    // After the views: a path that is both hidden and shown stays hidden.
    for (Path hidden : policy.hidden()) {
      for (Path at : places(hidden, folders, policy)) {
        mounts.add(
            Files.isDirectory(hidden)
                ? new MountArguments(at, List.of("--tmpfs", at.toString()))
                : bind("--ro-bind", Path.of("/dev/null"), at));
      }
    }
    return confinement.user().isPresent() ? withOpenParents(mounts) : mounts;
  }

  private static List<String> memory(String size, String at) {
    return List.of("--perms", "1777", "--size", size, "--tmpfs", at);
  }

  private static List<MountArguments> kernel() {
    var mounts = new ArrayList<MountArguments>();
    READ_ONLY_KERNEL.stream()
        .filter(Files::exists)
        .forEach(path -> mounts.add(bind("--ro-bind", path, path)));
    HIDDEN_KERNEL.stream()
        .filter(Files::exists)
        .forEach(path -> mounts.add(bind("--ro-bind", Path.of("/dev/null"), path)));
    return mounts;
  }

  /// Parent directories of mount points. Bubblewrap would create them accessible to root only.
  private static List<MountArguments> withOpenParents(List<MountArguments> mounts) {
    var parents = new TreeSet<Path>();
    for (MountArguments mount : mounts) {
      Path at = Path.of(mount.words().getLast()).getParent();
      while (at != null && at.getNameCount() > 0 && parents.add(at)) {
        at = at.getParent();
      }
    }
    var all = new ArrayList<>(mounts);
    parents.stream()
        .filter(parent -> !parent.startsWith("/dev") && !parent.startsWith("/proc"))
        .forEach(parent ->
            all.add(
                new MountArguments(
                    parent, List.of("--perms", "0755", "--dir", parent.toString()))));
    return all;
  }

  /// Masks of private system files, without files that were deleted or replaced meanwhile
  /// (bubblewrap cannot mount over them), writable views and hidden paths.
  private List<MountedPath> covers(SandboxPolicy policy) {
    return system.get().covers().stream()
        .filter(MountedPath::isThere)
        .filter(cover -> policy.views().stream().noneMatch(view -> isOwn(view, cover.at())))
        .filter(cover -> policy.hidden().stream().noneMatch(cover.at()::startsWith))
        .toList();
  }

  private static boolean isOwn(SandboxPolicy.VisiblePath view, Path place) {
    boolean isOther = view.access() == PathAccess.WRITE || !view.path().equals(view.at());
    return isOther && place.startsWith(view.at());
  }

  private static Optional<MountArguments> mount(
      SandboxPolicy.VisiblePath view, SystemDirectories folders, SandboxPolicy policy) {
    return switch (view.access()) {
      case READ -> Optional.of(bind("--ro-bind", view.path(), view.at()));
      case WRITE -> Optional.of(bind("--bind", view.path(), view.at()));
      case FOLLOW -> isSeen(view.at(), folders, policy) ? Optional.empty() : link(view);
    };
  }

  private static boolean isSeen(Path link, SystemDirectories folders, SandboxPolicy policy) {
    return (policy.base() == BaseFiles.MACHINE && !link.startsWith(SandboxPolicy.TMP))
        || folders.shows(link)
        || policy.views().stream()
            .anyMatch(view -> view.access() != PathAccess.FOLLOW && link.startsWith(view.at()));
  }

  private static Optional<MountArguments> link(SandboxPolicy.VisiblePath view) {
    try {
      String target = Files.readSymbolicLink(view.path()).toString();
      return Optional.of(
          new MountArguments(view.at(), List.of("--symlink", target, view.at().toString())));
    } catch (IOException e) {
      // The link was deleted meanwhile.
      return Optional.empty();
    }
  }

  private static MountArguments bind(String how, Path path, Path at) {
    return new MountArguments(at, List.of(how, path.toString(), at.toString()));
  }

  /// Paths at which a hidden folder or file would be visible. A path that no view shows is not
  /// hidden: the mount point would reveal it.
  private static Set<Path> places(Path hidden, SystemDirectories folders, SandboxPolicy policy) {
    if (!Files.exists(hidden)) {
      return Set.of();
    }
    Path real = real(hidden);
    var places = new TreeSet<Path>();
    if (policy.base() == BaseFiles.MACHINE || folders.shows(real)) {
      places.add(real);
    }
    for (SandboxPolicy.VisiblePath view : policy.views()) {
      Path shown = real(view.path());
      if (view.access() != PathAccess.FOLLOW && real.startsWith(shown)) {
        places.add(view.at().resolve(shown.relativize(real)).normalize());
      }
    }
    return places;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      // It does not exist, so it cannot be visible.
      return path;
    }
  }

  /// Unix sockets of this machine that have a file, as `/proc/net/unix` lists them.
  private static final class SystemSockets {
    private static final Path LIST = Path.of("/proc/net/unix");

    /// Seven columns come before the name.
    private static final int NAME = 8;

    /// Folders that no sandbox shows.
    private static final Set<Path> UNSEEN =
        Set.of(Path.of("/run"), Path.of("/tmp"), Path.of("/dev"), Path.of("/proc"));

    private SystemSockets() {}

    /// Sockets outside the folders that no sandbox shows.
    static Set<Path> visibleSockets() {
      var sockets = new TreeSet<Path>();
      try (Stream<String> lines = Files.lines(LIST, StandardCharsets.ISO_8859_1)) {
        lines
            .map(line -> line.strip().split("\\s+", NAME))
            .filter(columns -> columns.length == NAME && columns[NAME - 1].startsWith("/"))
            .map(columns -> Path.of(columns[NAME - 1]))
            .filter(Files::exists)
            .forEach(file -> add(file, sockets));
      } catch (IOException e) {
        // No Linux, so no sandbox either.
        return Set.of();
      }
      return sockets;
    }

    private static void add(Path file, Set<Path> sockets) {
      try {
        Path real = file.toRealPath();
        if (UNSEEN.stream().noneMatch(real::startsWith)) {
          sockets.add(real);
        }
      } catch (IOException e) {
        // Deleted meanwhile.
        sockets.remove(file);
      }
    }
  }
}
