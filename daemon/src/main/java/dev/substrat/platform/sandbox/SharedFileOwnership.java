package dev.substrat.platform.sandbox;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Launch;
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

/// Who owns the files that the daemon and sandboxed programs share, where the daemon is root and
/// the programs are not.
///
/// Only folders of the daemon's own change hands. A folder of root's that a person has chosen is
/// shared with the sandbox user's group and keeps its owner; one of another user is left alone.
public final class SharedFileOwnership {
  private static final Log LOG = Log.of(SharedFileOwnership.class);
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final List<Path> SYSTEM =
      Stream.of("bin", "boot", "dev", "etc", "lib", "lib64", "proc", "run", "sbin", "sys", "usr")
          .map(name -> Path.of("/", name))
          .toList();

  private SharedFileOwnership() {}

  /// Gives a new file or folder to the owner of the folder it is in, if the daemon is root: what it
  /// writes into a workspace belongs to those who work there.
  public static void inherit(Path fresh) throws IOException {
    Path folder = fresh.toAbsolutePath().getParent();
    if (folder != null && SandboxUser.isDaemonRoot()) {
      for (String owner : List.of("unix:gid", "unix:uid")) {
        Files.setAttribute(
            fresh, owner, Files.getAttribute(folder, owner), LinkOption.NOFOLLOW_LINKS);
      }
    }
  }

  /// The same in a folder that was reached safely.
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

  /// Lets the group of the sandbox user use a file of the daemon's own, if the daemon is root.
  public static void share(Path file, SandboxUser user, String rights) throws IOException {
    if (SandboxUser.isDaemonRoot()) {
      Files.setAttribute(file, "unix:gid", user.gid());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(rights));
    }
  }

  static boolean isRoots(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS).equals(0);
  }

  /// Gives what root has in a folder to the user. chown(1) follows no link, whatever is swapped
  /// meanwhile.
  static void give(Path folder, SandboxUser user) throws IOException {
    String to = user.uid() + ":" + user.gid();
    String path = folder.toString();
    run(List.of("chown", "--recursive", "--no-dereference", "--from=0", to, "--", path));
  }

  private static void run(List<String> words) throws IOException {
    var launch = new Launch(words, Path.of("/"), Map.of(), UnaryOperator.identity());
    try (var child = ChildProcess.start(launch)) {
      OptionalInt code = child.exit(PATIENCE);
      if (code.isEmpty() || code.getAsInt() != 0) {
        throw new IOException(words.getFirst() + " failed: " + child.lastWords());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(words.getFirst() + " was interrupted", e);
    }
  }

  /// Shares what is root's in a folder that a person lets programs write with the group of the
  /// sandbox user, so that it can be used without changing its owner. Secret files in it stay as
  /// they are.
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
    LOG.info("folder of root shared with the sandbox user", "folder", folder, "gid", user.gid());
  }

  /// Programs that check the rights of system files and keys would refuse what anybody else may
  /// write, so these and whole homes stay as they are, and what is around a hidden folder.
  private static boolean mayShare(SandboxPolicy.VisiblePath view, SandboxPolicy walls)
      throws IOException {
    Path real = view.path().toRealPath();
    boolean isHome =
        Path.of(System.getProperty("user.home")).startsWith(real) || Path.of("/home").equals(real);
    return view.access() == SandboxPolicy.Access.WRITE
        && Files.isDirectory(real)
        && real.getNameCount() > 1
        && !isHome
        && walls.hidden().stream()
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
    return new Fault(
        ErrorCode.PATH_BLOCKED,
        view.path() + " cannot be shown in the sandbox: " + e.getMessage(),
        "check that it is still there",
        e);
  }

  /// A program that cannot use what it is shown would only say "permission denied", somewhere.
  static void makeUsable(SandboxUser user, SandboxPolicy walls) {
    for (SandboxPolicy.VisiblePath view : walls.views()) {
      try {
        if (!isUsable(user, view) && isRoots(view.path()) && mayShare(view, walls)) {
          share(user, view.path(), walls.hidden());
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
    boolean isWrite = view.access() == SandboxPolicy.Access.WRITE;
    return new Fault(
        ErrorCode.PATH_BLOCKED,
        "the sandbox user (uid %d) cannot %s %s"
            .formatted(user.uid(), isWrite ? "write to" : "read", view.path()),
        "the daemon runs as root, and sandboxed programs as uid %1$d: run the daemon as the owner of"
                .formatted(user.uid())
            + " that path, set sandboxUser to its owner, or run: chown -R %d %s"
                .formatted(user.uid(), view.path()));
  }
}
