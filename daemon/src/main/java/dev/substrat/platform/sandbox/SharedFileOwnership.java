package dev.substrat.platform.sandbox;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Sets the owner of files that the daemon and sandboxed programs share, if the daemon runs as root
/// and the programs do not.
///
/// Only folders of the daemon change their owner. A folder of root that a person chose is shared
/// with the group of the sandbox user and keeps its owner; a folder of another user stays
/// unchanged.
public final class SharedFileOwnership {
  private static final Log LOG = Log.of(SharedFileOwnership.class);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static final List<Path> SYSTEM =
      Stream.of("bin", "boot", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr")
          .map(name -> Path.of("/", name))
          .toList();

  private SharedFileOwnership() {}

  /// Gives a new file or folder the owner of its parent folder, if the daemon is root: files that
  /// the daemon writes into a workspace belong to the user that works there.
  public static void inherit(Path fresh) throws IOException {
    Path folder = fresh.toAbsolutePath().getParent();
    if (folder != null && SandboxUser.isDaemonRoot()) {
      for (String owner : List.of("unix:gid", "unix:uid")) {
        Files.setAttribute(
            fresh, owner, Files.getAttribute(folder, owner), LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  /// The same in a folder that was opened safely.
  public static void inherit(SecureDirectoryStream<Path> folder, Path fresh) throws IOException {
    if (SandboxUser.isDaemonRoot()) {
      var from = folder.getFileAttributeView(PosixFileAttributeView.class).readAttributes();
      var to =
          folder.getFileAttributeView(
              fresh, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
      to.setGroup(from.group());
      to.setOwner(from.owner());
      if (from.permissions().contains(PosixFilePermission.GROUP_WRITE)) {
        var rights = EnumSet.copyOf(to.readAttributes().permissions());
        rights.add(PosixFilePermission.GROUP_READ);
        rights.add(PosixFilePermission.GROUP_WRITE);
        if (rights.contains(PosixFilePermission.OWNER_EXECUTE)) {
          rights.add(PosixFilePermission.GROUP_EXECUTE);
        }
        to.setPermissions(rights);
      }
    }
  }

  /// Gives the group of the sandbox user these rights to a file of the daemon, if the daemon is
  /// root.
  public static void share(Path file, SandboxUser user, String rights) throws IOException {
    if (SandboxUser.isDaemonRoot()) {
      Files.setAttribute(file, "unix:gid", user.gid());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }
  }

  static boolean isRoots(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0);
  }

  /// Makes the user the owner of root's files in a folder. chown(1) follows no links, even if one
  /// is swapped in meanwhile.
  static void changeOwner(Path folder, SandboxUser user) throws IOException {
    String to = user.uid() + ":" + user.gid();
    String path = folder.toString();
    run(List.of("chown", "--recursive", "--no-dereference", "--from=0", to, "--", path));
  }

  private static void run(List<String> words) throws IOException {
    var launch = new LaunchParameters(words, Path.of("/"), Map.of(), UnaryOperator.identity());
    try (var child = ChildProcess.start(launch)) {
      OptionalInt code = child.exit(TIMEOUT);
      if (code.isEmpty() || code.getAsInt() != 0) {
        throw new IOException(words.getFirst() + " failed: " + child.lastWords());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(words.getFirst() + " was interrupted", e);
    }
  }

  /// Shares root's files in a writable view with the group of the sandbox user; the owner stays.
  /// Hidden files are skipped.
  private static void share(SandboxUser user, Path folder, List<Path> hidden) throws IOException {
    var words = new ArrayList<String>();
    words.addAll(List.of("find", folder.toString(), "-xdev", "-uid", "0", "-not", "-type", "l"));
    for (Path file : hidden) {
      if (Files.exists(file)) {
        words.addAll(List.of("-not", "-samefile", file.toRealPath().toString()));
      }
    }
    String group = String.valueOf(user.gid());
    words.addAll(List.of("-exec", "chgrp", "--no-dereference", group, "--", "{}", "+"));
    words.addAll(List.of("-exec", "chmod", "g+rwX", "--", "{}", "+"));
    run(words);
    LOG.info(
        "shared a folder of root with the group of the sandbox user",
        "folder",
        folder,
        "gid",
        user.gid());
  }

  /// Not shared: system directories, keys and home directories, because programs that check their
  /// permissions reject files that others can write; and directories that contain a hidden one.
  private static boolean mayShare(SandboxPolicy.VisiblePath view, SandboxPolicy policy)
      throws IOException {
    Path real = view.path().toRealPath();
    boolean isHome =
        Path.of(System.getProperty("user.home")).startsWith(real) || Path.of("/home").equals(real);
    return view.access() == SandboxPolicy.PathAccess.WRITE
        && Files.isDirectory(real)
        && real.getNameCount() > 1
        && !isHome
        && policy.hidden().stream()
            .filter(Files::isDirectory)
            .noneMatch(hidden -> SandboxPolicy.overlaps(real, hidden))
        && SYSTEM.stream().noneMatch(real::startsWith);
  }

  private static boolean isUsable(SandboxUser user, SandboxPolicy.VisiblePath view)
      throws IOException {
    return switch (view.access()) {
      case READ -> user.canRead(view.path());
      case WRITE -> user.canWrite(view.path());
      case FOLLOW -> true;
    };
  }

  private static Fault gone(SandboxPolicy.VisiblePath view, IOException e) {
    return ErrorCode.PATH_BLOCKED.fault(
        view.path() + " cannot be shown in the sandbox: " + e.getMessage(),
        "check that the path exists",
        e);
  }

  /// Checks access before the start: otherwise the program would fail with "permission denied"
  /// only.
  static void makeUsable(SandboxUser user, SandboxPolicy policy) {
    for (SandboxPolicy.VisiblePath view : policy.views()) {
      try {
        if (!isUsable(user, view) && isRoots(view.path()) && mayShare(view, policy)) {
          share(user, view.path(), policy.hidden());
        }
        if (!isUsable(user, view)) {
          throw unusable(user, view);
        }
      } catch (IOException e) {
        throw gone(view, e);
      }
    }
  }

  private static Fault unusable(SandboxUser user, SandboxPolicy.VisiblePath view) {
    boolean isWrite = view.access() == SandboxPolicy.PathAccess.WRITE;
    return ErrorCode.PATH_BLOCKED.fault(
        "the sandbox user (uid %d) cannot %s %s"
            .formatted(user.uid(), isWrite ? "write to" : "read", view.path()),
        "the daemon runs as root, and sandboxed programs as uid %1$d: run the daemon as the owner of"
                .formatted(user.uid())
            + " that path, set sandboxUser to its owner, or run: chown -R %d %s"
                .formatted(user.uid(), view.path()));
  }
}
