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

/// A folder that no path leads out of, whatever others do to it meanwhile.
///
/// Each step is taken from the folder reached before, by its handle and not by its name, and never
/// through a link: what a link says is only a hint where to begin again. So a link that is swapped
/// in between two steps leads to a refusal, never outside.
///
/// `anchor` is trusted: nobody inside can move it. The room is `base` below it, where there may be
/// others who can move things; on the way to it there are no links at all. What is `withheld` is
/// not in it, wherever it lies.
final class ConfinedDirectory {
  private static final int MOST_LINKS = 20;

  private final Path anchor;
  private final SafePath base;
  private final HiddenDirectory withheld;

  /// `anchor` must be there; links above it are its owner's matter.
  ConfinedDirectory(Path anchor, SafePath base, HiddenDirectory withheld) throws IOException {
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

  /// Part of it, as a room; nothing on the way there may be a link.
  ConfinedDirectory part(String name) {
    return new ConfinedDirectory(this, base.resolve(name));
  }

  /// Whether what is missing on the way is made. Nothing is made or written where git keeps what is
  /// its own: it runs what it finds there, for whoever works there next.
  enum Missing {
    REFUSED,
    MADE
  }

  /// What is done in a folder that was reached; it is closed afterwards.
  interface Work<T> {
    T in(SecureDirectoryStream<Path> folder) throws IOException;
  }

  /// What is done with something in a folder, if it is there; it is no link.
  interface OpenPath<T> {
    T at(SecureDirectoryStream<Path> folder, Path name, Optional<BasicFileAttributes> found)
        throws IOException;
  }

  /// Goes to a folder.
  <T> T in(SafePath path, Missing missing, Work<T> work) throws IOException {
    try (var reached = walk(path, missing)) {
      return work.in(reached.folder);
    }
  }

  /// Goes to where something is, or could be.
  <T> T at(SafePath path, Missing missing, OpenPath<T> work) throws IOException {
    SafePath now = path;
    for (int links = 0; links < MOST_LINKS && !now.isRoot(); links++) {
      now.names().forEach(name -> requireNotGits(name, missing, path));
      try (var reached = walk(now.parent(), missing)) {
        Optional<BasicFileAttributes> found = look(reached.folder, now.last());
        found.ifPresent(this::requireShown);
        if (found.isEmpty() || !found.get().isSymbolicLink()) {
          return work.at(reached.folder, Path.of(now.last()), found);
        }
        now = target(reached.names, now.last(), path);
      }
    }
    throw blocked(path);
  }

  /// A folder, and how it was reached without links.
  private record OpenedFile(SecureDirectoryStream<Path> folder, SafePath names)
      implements AutoCloseable {
    @Override
    public void close() throws IOException {
      folder.close();
    }
  }

  private OpenedFile walk(SafePath path, Missing missing) throws IOException {
    Deque<String> ahead = new ArrayDeque<>(path.names());
    OpenedFile at = new OpenedFile(open(missing), SafePath.ROOT);
    int links = 0;
    try {
      while (!ahead.isEmpty()) {
        String name = ahead.pop();
        requireNotGits(name, missing, path);
        boolean isLink =
            look(at.folder, name).filter(BasicFileAttributes::isSymbolicLink).isPresent();
        OpenedFile next;
        if (!isLink) {
          next = new OpenedFile(step(at.folder, name, missing), at.names.resolve(name));
        } else if (++links <= MOST_LINKS) {
          target(at.names, name, path).names().reversed().forEach(ahead::push);
          next = new OpenedFile(open(missing), SafePath.ROOT);
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

  private static void requireNotGits(String name, Missing missing, SafePath path) {
    if (missing == Missing.MADE && SafePath.isGits(name)) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          path + " is git's own",
          "write your files elsewhere; git itself may change what is there");
    }
  }

  /// The room itself.
  private SecureDirectoryStream<Path> open(Missing missing) throws IOException {
    SecureDirectoryStream<Path> at = openAnchor();
    for (String name : base.names()) {
      try (var before = at) {
        at = step(before, name, missing);
      }
    }
    return at;
  }

  /// Whoever opens a way closes it.
  @SuppressWarnings("StreamResourceLeak")
  private SecureDirectoryStream<Path> openAnchor() throws IOException {
    DirectoryStream<Path> stream = Files.newDirectoryStream(anchor);
    if (stream instanceof SecureDirectoryStream<Path> secure) {
      return secure;
    }
    stream.close();
    throw new Fault(
        ErrorCode.SANDBOX_UNAVAILABLE,
        "this machine cannot walk folders safely",
        "run the daemon on Linux to give agents a workspace");
  }

  private SecureDirectoryStream<Path> step(
      SecureDirectoryStream<Path> at, String name, Missing missing) throws IOException {
    if (missing == Missing.MADE && look(at, name).isEmpty()) {
      make(at, name);
    }
    return enter(at, Path.of(name));
  }

  /// A folder in one that was reached. What it is, is seen once it is open: nobody can swap it
  /// then.
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

  /// Whether something that was found is not to be seen.
  boolean withholds(BasicFileAttributes found) {
    return withheld.is(found);
  }

  private void requireShown(BasicFileAttributes found) {
    if (withholds(found)) {
      throw new Fault(
          ErrorCode.PATH_BLOCKED,
          "that belongs to the daemon",
          "use a path that does not lead to its data directory, configuration or TLS key");
    }
  }

  /// What is called so in a folder, if something is; a link is seen as a link.
  static Optional<BasicFileAttributes> look(SecureDirectoryStream<Path> at, String name)
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

  /// Where a link leads, if it stays in the room.
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

  /// A folder is made at the anchor and moved to where it belongs: making one by its path would
  /// follow whatever is on the way at that moment.
  private void make(SecureDirectoryStream<Path> at, String name) throws IOException {
    Path fresh = Files.createDirectory(anchor.resolve(".substrat-" + UUID.randomUUID()));
    try (var root = openAnchor()) {
      SharedFileOwnership.inherit(root, fresh.getFileName());
      root.move(fresh.getFileName(), at, Path.of(name));
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      if (look(at, name).isEmpty()) {
        throw e;
      }
      // Somebody else has made it meanwhile.
    }
  }

  private static Fault blocked(SafePath path) {
    return new Fault(
        ErrorCode.PATH_BLOCKED,
        path + " leads out of your workspace",
        "use a path that stays inside it");
  }
}
