package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SharedFileOwnership;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// A directory that no path can leave, even if other processes change it meanwhile.
///
/// Each name is opened relative to the handle of its parent directory and never through a link. If
/// a link is found, its target is resolved and the walk starts again from the top. So a link that
/// is swapped in between two steps leads to an error, never to a path outside.
///
/// `anchor` is trusted: no process inside can move it. The directory is `base` below it; no link is
/// allowed between the two. Paths that are `withheld` are not accessible, wherever they are.
final class ConfinedDirectory {
  private static final int MAX_LINKS = 20;

  private final Path anchor;
  private final SafePath base;
  private final HiddenPaths withheld;

  /// `anchor` must exist; its parents may be links.
  ConfinedDirectory(Path anchor, SafePath base, HiddenPaths withheld) throws IOException {
    this.anchor = anchor.toRealPath();
    this.base = base;
    this.withheld = withheld;
  }

  private ConfinedDirectory(ConfinedDirectory whole, SafePath base) {
    this.anchor = whole.anchor;
    this.base = base;
    this.withheld = whole.withheld;
  }

  Path anchor() {
    return anchor;
  }

  Path folder() {
    return base.below(anchor);
  }

  /// A subdirectory; no link is allowed on the way to it.
  ConfinedDirectory part(String name) {
    return new ConfinedDirectory(this, base.resolve(name));
  }

  /// Whether missing directories are created. Nothing is created or written inside `.git`: git
  /// would execute it for the next user of the repository.
  enum MissingDirectoryPolicy {
    REFUSED,
    MADE
  }

  /// Operation in an open directory; the directory is closed afterwards.
  interface DirectoryOperation<T> {
    T in(SecureDirectoryStream<Path> folder) throws IOException;
  }

  /// Operation on an entry of an open directory, if it exists; the entry is not a link.
  interface EntryOperation<T> {
    T at(SecureDirectoryStream<Path> folder, Path name, Optional<BasicFileAttributes> found)
        throws IOException;
  }

  /// Opens a directory.
  <T> T in(SafePath path, MissingDirectoryPolicy missing, DirectoryOperation<T> work)
      throws IOException {
    try (var reached = walk(path, missing)) {
      return work.in(reached.folder);
    }
  }

  /// Opens the parent directory of an entry that may not exist.
  <T> T at(SafePath path, MissingDirectoryPolicy missing, EntryOperation<T> work)
      throws IOException {
    SafePath now = path;
    for (int links = 0; links < MAX_LINKS && !now.isRoot(); links++) {
      now.names().forEach(name -> requireNotGits(name, missing, path));
      try (var reached = walk(now.parent(), missing)) {
        Optional<BasicFileAttributes> found = attributes(reached.folder, now.last());
        found.ifPresent(this::requireShown);
        if (found.isEmpty() || !found.get().isSymbolicLink()) {
          return work.at(reached.folder, Path.of(now.last()), found);
        }
        now = target(reached.names, now.last(), path);
      }
    }
    throw blocked(path);
  }

  /// An open directory, and its path without links.
  private record OpenedEntry(SecureDirectoryStream<Path> folder, SafePath names)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      folder.close();
    }
  }

  private OpenedEntry walk(SafePath path, MissingDirectoryPolicy missing) throws IOException {
    Deque<String> ahead = new ArrayDeque<>(path.names());
    OpenedEntry at = new OpenedEntry(open(missing), SafePath.ROOT);
    int links = 0;
    try {
      while (!ahead.isEmpty()) {
        String name = ahead.pop();
        requireNotGits(name, missing, path);
        boolean isLink =
            attributes(at.folder, name).filter(BasicFileAttributes::isSymbolicLink).isPresent();
        OpenedEntry next;
        if (!isLink) {
          next = new OpenedEntry(step(at.folder, name, missing), at.names.resolve(name));
        } else if (++links <= MAX_LINKS) {
          target(at.names, name, path).names().reversed().forEach(ahead::push);
          next = new OpenedEntry(open(missing), SafePath.ROOT);
        } else {
          throw blocked(path);
        }
        at.close();
        at = next;
      }
      return at;
    } catch (IOException | RuntimeException e) {
      at.close();
      throw e;
    }
  }

  private static void requireNotGits(String name, MissingDirectoryPolicy missing, SafePath path) {
    if (missing == MissingDirectoryPolicy.MADE && SafePath.isGits(name)) {
      throw ErrorCode.PATH_BLOCKED.fault(
          path + " is inside .git, which only git writes to",
          "write to another directory, or use git");
    }
  }

  /// Opens the directory itself.
  private SecureDirectoryStream<Path> open(MissingDirectoryPolicy missing) throws IOException {
    SecureDirectoryStream<Path> at = openAnchor();
    for (String name : base.names()) {
      try (var before = at) {
        at = step(before, name, missing);
      }
    }
    return at;
  }

  /// The caller closes it.
  @SuppressWarnings("StreamResourceLeak")
  private SecureDirectoryStream<Path> openAnchor() throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(anchor);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw ErrorCode.SANDBOX_UNAVAILABLE.fault(
        "this operating system cannot open directories safely",
        "run the daemon on Linux to give agents a workspace");
  }

  private SecureDirectoryStream<Path> step(
      SecureDirectoryStream<Path> at, String name, MissingDirectoryPolicy missing)
      throws IOException {
    if (missing == MissingDirectoryPolicy.MADE && attributes(at, name).isEmpty()) {
      make(at, name);
    }
    return enter(at, Path.of(name));
  }

  /// Opens a subdirectory. It is checked after it was opened, when it can no longer be swapped.
  @SuppressWarnings("StreamResourceLeak")
  SecureDirectoryStream<Path> enter(SecureDirectoryStream<Path> at, Path name) throws IOException {
    SecureDirectoryStream<Path> entered = at.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
    try {
      requireShown(entered.getFileAttributeView(BasicFileAttributeView.class).readAttributes());
      return entered;
    } catch (IOException | RuntimeException e) {
      entered.close();
      throw e;
    }
  }

  /// Whether the file is hidden from agents.
  boolean withholds(BasicFileAttributes found) {
    return withheld.is(found);
  }

  private void requireShown(BasicFileAttributes found) {
    if (withholds(found)) {
      throw ErrorCode.PATH_BLOCKED.fault(
          "the path belongs to the daemon",
          "use a path outside its data directory, configuration and TLS key");
    }
  }

  /// Attributes of an entry, if it exists. Does not follow a link.
  static Optional<BasicFileAttributes> attributes(SecureDirectoryStream<Path> at, String name)
      throws IOException {
    try {
      return Optional.of(
          at.getFileAttributeView(
                  Path.of(name), BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
              .readAttributes());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /// Target of a link, if it is inside this directory.
  private SafePath target(SafePath behind, String name, SafePath path) throws IOException {
    Path here = behind.below(folder());
    Path target = here.resolve(Files.readSymbolicLink(here.resolve(name))).normalize();
    if (!target.startsWith(folder())) {
      throw blocked(path);
    }
    List<String> names = new ArrayList<>();
    folder().relativize(target).forEach(step -> names.add(step.toString()));
    names.removeIf(String::isEmpty);
    return new SafePath(names);
  }

  /// Creates a directory at the anchor and moves it to its place: creating it by path would follow
  /// links that were swapped in.
  private void make(SecureDirectoryStream<Path> at, String name) throws IOException {
    Path fresh = Files.createDirectory(anchor.resolve(".substrat-" + UUID.randomUUID()));
    try (var root = openAnchor()) {
      SharedFileOwnership.inherit(root, fresh.getFileName());
      root.move(fresh.getFileName(), at, Path.of(name));
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      if (attributes(at, name).isEmpty()) {
        throw e;
      }
      // Created by another process meanwhile.
    }
  }

  private static Fault blocked(SafePath path) {
    return ErrorCode.PATH_BLOCKED.fault(
        path + " leads out of your workspace", "use a path inside your workspace");
  }
}
