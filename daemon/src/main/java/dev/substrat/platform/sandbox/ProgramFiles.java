package dev.substrat.platform.sandbox;

import dev.substrat.platform.process.ExecutableLookup;
import dev.substrat.protocol.DefaultDataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Files that a program needs to run: its executable, the links to it, the package it belongs to if
/// one is recognised, and Node, which runs many programs.
///
/// The directory of a program alone is not a package: it may be a home directory. A directory that
/// other users can write to, such as `/tmp`, is never a package.
public record ProgramFiles(Set<Path> links, Set<Path> files) {
  private static final int MAX_LINKS = 20;
  private static final String NODE = "node";
  private static final int OTHERS_WRITE = 2;

  public static ProgramFiles of(String word) throws IOException {
    var parts = new ProgramFiles(new LinkedHashSet<>(), new LinkedHashSet<>());
    for (String name : List.of(word, NODE)) {
      Optional<Path> found = ExecutableLookup.ofDaemon().find(name);
      if (found.isPresent()) {
        parts.add(found.get().toAbsolutePath().normalize());
      }
    }
    return parts;
  }

  /// Files of a program and of the files in its arguments, as far as they are below `unseen`:
  /// directories that the sandbox does not show otherwise.
  public static ProgramFiles inside(List<Path> unseen, List<Path> named) throws IOException {
    var all = new ProgramFiles(new LinkedHashSet<>(), new LinkedHashSet<>());
    for (Path one : named) {
      all.add(one.toAbsolutePath().normalize());
      Path at = one.toRealPath().getParent();
      while (at != null && isInside(unseen, at) && isTrusted(at, one)) {
        if (isPackage(at)) {
          all.files.add(at);
        }
        at = at.getParent();
      }
    }
    all.links.removeIf(link -> !isInside(unseen, link));
    all.files.removeIf(file -> !isInside(unseen, file));
    return all;
  }

  /// Files of a program and of the files in its arguments: each file, and the package that contains
  /// it.
  public static ProgramFiles ofAll(List<Path> named) throws IOException {
    var all = new ProgramFiles(new LinkedHashSet<>(), new LinkedHashSet<>());
    Optional<Path> node = ExecutableLookup.ofDaemon().find(NODE);
    for (Path one : Stream.concat(named.stream(), node.stream()).toList()) {
      all.add(one.toAbsolutePath().normalize());
      Path at = one.toRealPath().getParent();
      while (at != null && isTrusted(at, one) && !isPackage(at)) {
        at = at.getParent();
      }
      if (at != null && isTrusted(at, one)) {
        all.files.add(at);
      }
    }
    return all;
  }

  /// Whether the directory can be a package: only root, the daemon's user and the owner of the
  /// program can write to it.
  private static boolean isTrusted(Path folder, Path program) throws IOException {
    Object owner = Files.getAttribute(folder, "unix:uid");
    int mode = (int) Files.getAttribute(folder, "unix:mode");
    boolean isOwn =
        owner.equals(0)
            || owner.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
            || owner.equals(Files.getAttribute(program, "unix:uid"));
    return isOwn && (mode & OTHERS_WRITE) == 0;
  }

  private static boolean isInside(List<Path> unseen, Path place) {
    return unseen.stream().anyMatch(folder -> place.startsWith(folder) && !place.equals(folder));
  }

  private void add(Path program) throws IOException {
    Path at = program;
    for (int i = 0; i < MAX_LINKS && Files.isSymbolicLink(at); i++) {
      links.add(at);
      at = at.resolveSibling(Files.readSymbolicLink(at)).normalize();
    }
    // Two paths, if a directory on the way is a link.
    files.addAll(around(at));
    files.addAll(around(program.toRealPath()));
  }

  private static Set<Path> around(Path file) throws IOException {
    for (Path at = file; at != null; at = at.getParent()) {
      if (at.endsWith("node_modules")) {
        return Set.of(at);
      }
    }
    var parts = new LinkedHashSet<Path>();
    parts.add(file);
    Path folder = file.resolveSibling("");
    if (isPackage(folder) && isTrusted(folder, file)) {
      parts.add(folder);
    }
    Path prefix = folder.resolveSibling("");
    if (folder.endsWith("bin") && isPackage(prefix) && isTrusted(prefix, file)) {
      parts.add(prefix);
    }
    // A version manager such as pyenv: the programs behind its shims are in the same directory
    // tree.
    if (folder.endsWith("shims") && !isHome(prefix) && isTrusted(prefix, file)) {
      parts.add(prefix);
    }
    Path libraries = prefix.resolve("lib");
    if (folder.endsWith("bin") && !isHome(prefix) && Files.isDirectory(libraries)) {
      parts.addAll(List.of(folder, libraries));
    }
    return parts;
  }

  /// Whether a package was unpacked here, possibly with its own Node or Python.
  private static boolean isPackage(Path folder) {
    return !isHome(folder)
        && !folder.endsWith("bin")
        && Stream.of("package.json", "pyvenv.cfg", NODE)
            .anyMatch(name -> Files.isRegularFile(folder.resolve(name)));
  }

  /// Whether it is a home directory or contains one.
  private static boolean isHome(Path folder) {
    return Path.of(System.getProperty("user.home")).startsWith(folder)
        || Path.of(DefaultDataDirectory.home(System.getenv())).startsWith(folder)
        || Path.of("/root").startsWith(folder)
        || Path.of("/home").equals(folder.getParent());
  }

  public SandboxPolicy in(SandboxPolicy policy) {
    SandboxPolicy all = policy;
    for (Path link : links) {
      all = all.linking(link);
    }
    for (Path file : files) {
      all = Files.exists(file) ? all.reading(file) : all;
    }
    return all;
  }
}
