package dev.substrat.sandbox;

import dev.substrat.sandbox.SystemFolders.Shown;
import dev.substrat.sandbox.Walls.Access;
import dev.substrat.sandbox.Walls.Base;
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

/// How bubblewrap is told about walls. It is started directly, never through a shell.
record Bubblewrap(Path program, Supplier<SystemFolders> system) {
  /// `/tmp` is memory: one program must not take all of it.
  private static final String LARGEST_TMP = String.valueOf(1L << 30);

  /// So is what programs share with each other there.
  private static final String LARGEST_SHARED = String.valueOf(256L << 20);

  /// Something that appears at a place. Deeper places come later, so that what is inside something
  /// else is seen, or hidden, whatever is around it.
  private record Mount(int depth, List<String> words) {
    Mount(Path at, List<String> words) {
      this(at.getNameCount(), words);
    }
  }

  List<String> around(List<String> command, Path directory, Walls walls) {
    var words = new ArrayList<String>();
    words.add(program.toString());
    words.addAll(List.of("--die-with-parent", "--new-session", "--unshare-all"));
    words.addAll(List.of("--cap-drop", "ALL"));
    if (walls.hasNetwork()) {
      words.add("--share-net");
    }
    List<Shown> covers = walls.base() == Base.PROGRAMS ? covers(walls) : List.of();
    mounts(walls, covers).stream()
        .sorted(Comparator.comparingInt(Mount::depth))
        .forEach(mount -> words.addAll(mount.words()));
    frames(walls, covers).forEach(frame -> words.addAll(List.of("--remount-ro", frame.toString())));
    words.addAll(List.of("--chdir", directory.toAbsolutePath().toString(), "--"));
    words.addAll(command);
    return words;
  }

  /// What only holds the places at which something else is seen: it is memory, too, and once all is
  /// in its place nobody writes there.
  private Set<Path> frames(Walls walls, List<Shown> covers) {
    var frames = new TreeSet<Path>();
    frames.add(Path.of("/dev"));
    if (walls.base() == Base.PROGRAMS) {
      frames.addAll(List.of(Path.of("/"), Path.of("/run")));
    }
    covers.stream().filter(Shown::isMemory).map(Shown::at).forEach(frames::add);
    walls.views().stream().map(Walls.View::at).forEach(frames::remove);
    walls.hidden().forEach(folder -> frames.addAll(places(folder, system.get(), walls)));
    return frames;
  }

  private List<Mount> mounts(Walls walls, List<Shown> covers) {
    SystemFolders folders = system.get();
    var mounts = new ArrayList<Mount>();
    if (walls.base() == Base.MACHINE) {
      mounts.add(new Mount(Path.of("/"), List.of("--ro-bind", "/", "/")));
    } else {
      folders.shown().forEach(folder -> mounts.add(new Mount(folder.at(), folder.words())));
      covers.forEach(cover -> mounts.add(new Mount(cover.at(), cover.words())));
      mounts.add(new Mount(1, List.of("--tmpfs", "/run")));
      if (walls.hasNetwork()) {
        folders.nameServers().ifPresent(file -> mounts.add(bind("--ro-bind", file, file)));
      }
    }
    mounts.add(new Mount(1, List.of("--dev", "/dev", "--proc", "/proc")));
    mounts.add(new Mount(1, List.of("--size", LARGEST_TMP, "--tmpfs", "/tmp")));
    mounts.add(new Mount(2, List.of("--size", LARGEST_SHARED, "--tmpfs", "/dev/shm")));
    for (Walls.View view : walls.views()) {
      mount(view, folders, walls).ifPresent(mounts::add);
    }
    // After the views: what is hidden stays so if somebody shows the very same folder.
    for (Path folder : walls.hidden()) {
      for (Path at : places(folder, folders, walls)) {
        mounts.add(new Mount(at, List.of("--tmpfs", at.toString())));
      }
    }
    return mounts;
  }

  /// Without those over what has gone meanwhile, or is something else there: nothing could be put
  /// over it. What may be changed is somebody's own, whatever its rights; what is hidden needs no
  /// cover.
  private List<Shown> covers(Walls walls) {
    return system.get().covers().stream()
        .filter(Shown::isThere)
        .filter(cover -> walls.views().stream().noneMatch(view -> isOwn(view, cover.at())))
        .filter(cover -> walls.hidden().stream().noneMatch(cover.at()::startsWith))
        .toList();
  }

  private static boolean isOwn(Walls.View view, Path place) {
    boolean isOther = view.access() == Access.WRITE || !view.path().equals(view.at());
    return isOther && place.startsWith(view.at());
  }

  private static Optional<Mount> mount(Walls.View view, SystemFolders folders, Walls walls) {
    return switch (view.access()) {
      case READ -> Optional.of(bind("--ro-bind", view.path(), view.at()));
      case WRITE -> Optional.of(bind("--bind", view.path(), view.at()));
      case FOLLOW -> isSeen(view.at(), folders, walls) ? Optional.empty() : link(view);
    };
  }

  private static boolean isSeen(Path link, SystemFolders folders, Walls walls) {
    return (walls.base() == Base.MACHINE && !link.startsWith(Walls.TMP))
        || folders.shows(link)
        || walls.views().stream()
            .anyMatch(view -> view.access() != Access.FOLLOW && link.startsWith(view.at()));
  }

  private static Optional<Mount> link(Walls.View view) {
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

  /// Where a folder would be seen. What nothing shows need not be hidden, and hiding it would show
  /// that it is there.
  private static Set<Path> places(Path folder, SystemFolders folders, Walls walls) {
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    Path real = real(folder);
    var places = new TreeSet<Path>();
    if (walls.base() == Base.MACHINE || folders.shows(real)) {
      places.add(real);
    }
    for (Walls.View view : walls.views()) {
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
