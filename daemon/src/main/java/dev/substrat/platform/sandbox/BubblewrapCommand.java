package dev.substrat.platform.sandbox;

import dev.substrat.platform.sandbox.SandboxPolicy.Access;
import dev.substrat.platform.sandbox.SandboxPolicy.Base;
import dev.substrat.platform.sandbox.SystemDirectories.Shown;
import java.io.IOException;
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

/// The command line that starts a program in a sandbox of bubblewrap. No word of the program's is
/// ever read by a shell.
record BubblewrapCommand(PrivilegeDrop confinement, Supplier<SystemDirectories> system) {
  /// `/tmp` is memory: one program must not take all of it.
  private static final String LARGEST_TMP = String.valueOf(1L << 30);

  /// So is what programs share with each other there.
  private static final String LARGEST_SHARED = String.valueOf(256L << 20);

  /// Kernel interfaces that change or show the whole machine, for those that the kernel lets. The
  /// same that container runtimes close. Bubblewrap closes only some of them, and `/proc/sys` not
  /// at all for root.
  private static final List<Path> READ_ONLY_KERNEL =
      Stream.of("sys", "sysrq-trigger", "irq", "bus", "fs", "pressure", "mtrr", "driver")
          .map(name -> Path.of("/proc", name))
          .toList();

  private static final List<Path> HIDDEN_KERNEL =
      Stream.of("kcore", "kmsg", "keys", "key-users", "kallsyms", "timer_list", "sched_debug")
          .map(name -> Path.of("/proc", name))
          .toList();

  /// Something that appears at a place. Deeper places come later, so that what is inside something
  /// else is seen, or hidden, whatever is around it.
  private record Mount(int depth, List<String> words) {
    Mount(Path at, List<String> words) {
      this(at.getNameCount(), words);
    }
  }

  List<String> around(List<String> command, Path directory, SandboxPolicy walls) {
    var words = new ArrayList<>(confinement.before());
    words.addAll(List.of("--die-with-parent", "--new-session"));
    words.addAll(confinement.namespaces(walls.hasNetwork()));
    List<Shown> covers = walls.base() == Base.PROGRAMS ? covers(walls) : List.of();
    mounts(walls, covers).stream()
        .sorted(Comparator.comparingInt(Mount::depth))
        .forEach(mount -> words.addAll(mount.words()));
    frames(walls, covers).forEach(frame -> words.addAll(List.of("--remount-ro", frame.toString())));
    Path place = directory.toAbsolutePath();
    words.addAll(List.of("--chdir", confinement.start(place).toString(), "--"));
    words.addAll(confinement.inside(place));
    words.addAll(command);
    return words;
  }

  /// What only holds the places at which something else is seen: it is memory, too, and once all is
  /// in its place nobody writes there.
  private Set<Path> frames(SandboxPolicy walls, List<Shown> covers) {
    var frames = new TreeSet<Path>();
    frames.addAll(List.of(Path.of("/dev"), Path.of("/run")));
    if (walls.base() == Base.PROGRAMS) {
      frames.add(Path.of("/"));
    }
    covers.stream().filter(Shown::isMemory).map(Shown::at).forEach(frames::add);
    walls.views().stream().map(SandboxPolicy.VisiblePath::at).forEach(frames::remove);
    walls.hidden().stream()
        .filter(Files::isDirectory)
        .forEach(folder -> frames.addAll(places(folder, system.get(), walls)));
    return frames;
  }

  private List<Mount> mounts(SandboxPolicy walls, List<Shown> covers) {
    SystemDirectories folders = system.get();
    var mounts = new ArrayList<Mount>();
    if (walls.base() == Base.MACHINE) {
      mounts.add(new Mount(Path.of("/"), List.of("--ro-bind", "/", "/")));
      // A read-only mount does not keep a program from connecting to a socket.
      SystemSockets.elsewhere().stream()
          .filter(socket -> walls.hidden().stream().noneMatch(socket::startsWith))
          .forEach(socket -> mounts.add(bind("--ro-bind", Path.of("/dev/null"), socket)));
    } else {
      folders.shown().forEach(folder -> mounts.add(new Mount(folder.at(), folder.words())));
      covers.forEach(cover -> mounts.add(new Mount(cover.at(), cover.words())));
    }
    // Most sockets of other programs are there.
    mounts.add(new Mount(1, List.of("--tmpfs", "/run")));
    if (walls.hasNetwork()) {
      folders.nameServers().ifPresent(file -> mounts.add(bind("--ro-bind", file, file)));
    }
    mounts.add(new Mount(1, List.of("--dev", "/dev", "--proc", "/proc")));
    mounts.add(new Mount(1, memory(LARGEST_TMP, "/tmp")));
    mounts.add(new Mount(2, memory(LARGEST_SHARED, "/dev/shm")));
    mounts.addAll(kernel());
    for (SandboxPolicy.VisiblePath view : walls.views()) {
      mount(view, folders, walls).ifPresent(mounts::add);
    }
    // After the views: what is hidden stays so if somebody shows the very same folder.
    for (Path hidden : walls.hidden()) {
      for (Path at : places(hidden, folders, walls)) {
        mounts.add(
            Files.isDirectory(hidden)
                ? new Mount(at, List.of("--tmpfs", at.toString()))
                : bind("--ro-bind", Path.of("/dev/null"), at));
      }
    }
    return confinement.user().isPresent() ? withOpenParents(mounts) : mounts;
  }

  private static List<String> memory(String size, String at) {
    return List.of("--perms", "1777", "--size", size, "--tmpfs", at);
  }

  private static List<Mount> kernel() {
    var mounts = new ArrayList<Mount>();
    READ_ONLY_KERNEL.stream()
        .filter(Files::exists)
        .forEach(path -> mounts.add(bind("--ro-bind", path, path)));
    HIDDEN_KERNEL.stream()
        .filter(Files::exists)
        .forEach(path -> mounts.add(bind("--ro-bind", Path.of("/dev/null"), path)));
    return mounts;
  }

  /// Folders that bubblewrap makes on the way to a place are for their owner only, and that is
  /// root.
  private static List<Mount> withOpenParents(List<Mount> mounts) {
    var parents = new TreeSet<Path>();
    for (Mount mount : mounts) {
      Path at = Path.of(mount.words().getLast()).getParent();
      while (at != null && at.getNameCount() > 0 && parents.add(at)) {
        at = at.getParent();
      }
    }
    var all = new ArrayList<>(mounts);
    parents.stream()
        .filter(parent -> !parent.startsWith("/dev") && !parent.startsWith("/proc"))
        .forEach(parent ->
            all.add(new Mount(parent, List.of("--perms", "0755", "--dir", parent.toString()))));
    return all;
  }

  /// Without those over what has gone meanwhile, or is something else there: nothing could be put
  /// over it. What may be changed is somebody's own, whatever its rights; what is hidden needs no
  /// cover.
  private List<Shown> covers(SandboxPolicy walls) {
    return system.get().covers().stream()
        .filter(Shown::isThere)
        .filter(cover -> walls.views().stream().noneMatch(view -> isOwn(view, cover.at())))
        .filter(cover -> walls.hidden().stream().noneMatch(cover.at()::startsWith))
        .toList();
  }

  private static boolean isOwn(SandboxPolicy.VisiblePath view, Path place) {
    boolean isOther = view.access() == Access.WRITE || !view.path().equals(view.at());
    return isOther && place.startsWith(view.at());
  }

  private static Optional<Mount> mount(
      SandboxPolicy.VisiblePath view, SystemDirectories folders, SandboxPolicy walls) {
    return switch (view.access()) {
      case READ -> Optional.of(bind("--ro-bind", view.path(), view.at()));
      case WRITE -> Optional.of(bind("--bind", view.path(), view.at()));
      case FOLLOW -> isSeen(view.at(), folders, walls) ? Optional.empty() : link(view);
    };
  }

  private static boolean isSeen(Path link, SystemDirectories folders, SandboxPolicy walls) {
    return (walls.base() == Base.MACHINE && !link.startsWith(SandboxPolicy.TMP))
        || folders.shows(link)
        || walls.views().stream()
            .anyMatch(view -> view.access() != Access.FOLLOW && link.startsWith(view.at()));
  }

  private static Optional<Mount> link(SandboxPolicy.VisiblePath view) {
    try {
      String target = Files.readSymbolicLink(view.path()).toString();
      return Optional.of(new Mount(view.at(), List.of("--symlink", target, view.at().toString())));
    } catch (IOException e) {
      // No link any more; whoever follows it finds nothing.
      return Optional.empty();
    }
  }

  private static Mount bind(String how, Path path, Path at) {
    return new Mount(at, List.of(how, path.toString(), at.toString()));
  }

  /// Where a folder or file would be seen. What nothing shows need not be hidden, and hiding it
  /// would show that it is there.
  private static Set<Path> places(Path hidden, SystemDirectories folders, SandboxPolicy walls) {
    if (!Files.exists(hidden)) {
      return Set.of();
    }
    Path real = real(hidden);
    var places = new TreeSet<Path>();
    if (walls.base() == Base.MACHINE || folders.shows(real)) {
      places.add(real);
    }
    for (SandboxPolicy.VisiblePath view : walls.views()) {
      Path shown = real(view.path());
      if (view.access() != Access.FOLLOW && real.startsWith(shown)) {
        places.add(view.at().resolve(shown.relativize(real)).normalize());
      }
    }
    return places;
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      // Not there, so nothing of it will be seen.
      return path;
    }
  }
}
