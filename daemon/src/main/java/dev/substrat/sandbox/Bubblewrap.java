package dev.substrat.sandbox;

import dev.substrat.sandbox.Walls.Access;
import dev.substrat.sandbox.Walls.Base;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// How bubblewrap is told about walls. It is started directly, never through a shell.
record Bubblewrap(Path program, SystemFolders system) {
  /// `/tmp` is memory: one program must not take all of it.
  private static final String LARGEST_TMP = String.valueOf(1L << 30);

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
    mounts(walls).stream()
        .sorted(Comparator.comparingInt(Mount::depth))
        .forEach(mount -> words.addAll(mount.words()));
    words.addAll(List.of("--chdir", directory.toAbsolutePath().toString(), "--"));
    words.addAll(command);
    return words;
  }

  private List<Mount> mounts(Walls walls) {
    var mounts = new ArrayList<Mount>();
    if (walls.base() == Base.MACHINE) {
      mounts.add(new Mount(Path.of("/"), List.of("--ro-bind", "/", "/")));
    } else {
      system.shown().forEach(folder -> mounts.add(new Mount(folder.at(), folder.words())));
      mounts.add(new Mount(1, List.of("--tmpfs", "/run")));
      if (walls.hasNetwork()) {
        system.nameServers().ifPresent(file -> mounts.add(bind("--ro-bind", file, file)));
      }
    }
    mounts.add(new Mount(1, List.of("--dev", "/dev", "--proc", "/proc")));
    mounts.add(new Mount(1, List.of("--size", LARGEST_TMP, "--tmpfs", "/tmp")));
    for (Walls.View view : walls.views()) {
      String bind = view.access() == Access.WRITE ? "--bind" : "--ro-bind";
      mounts.add(bind(bind, view.path(), view.at()));
    }
    // After the views: what is hidden stays so if somebody shows the very same folder.
    for (Path folder : walls.hidden()) {
      for (Path at : places(folder, walls)) {
        mounts.add(new Mount(at, List.of("--tmpfs", at.toString())));
      }
    }
    return mounts;
  }

  private static Mount bind(String how, Path path, Path at) {
    return new Mount(at, List.of(how, path.toString(), at.toString()));
  }

  /// Where a folder would be seen. What nothing shows need not be hidden, and hiding it would show
  /// that it is there.
  private Set<Path> places(Path folder, Walls walls) {
    if (!Files.isDirectory(folder)) {
      return Set.of();
    }
    Path real = real(folder);
    var places = new TreeSet<Path>();
    boolean isOfTheSystem =
        walls.base() == Base.MACHINE
            || system.shown().stream().anyMatch(shown -> real.startsWith(shown.at()));
    if (isOfTheSystem) {
      places.add(real);
    }
    for (Walls.View view : walls.views()) {
      Path shown = real(view.path());
      if (real.startsWith(shown)) {
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
