package dev.substrat.platform.sandbox;

import dev.substrat.protocol.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The unprivileged user of the host that programs run as in the sandbox of a daemon that runs as
/// root.
///
/// As root, a program would own kernel settings and could read the files of all users, and the
/// limit on processes would not apply. The uid needs no account.
public record SandboxUser(int uid, int gid) {
  /// A uid that neither distributions nor systemd assign.
  public static final SandboxUser DEFAULT = new SandboxUser(60_999, 60_999);

  private static final int READ = 4;
  private static final int WRITE = 2;
  private static final int SEARCH = 1;

  public SandboxUser {
    if (uid < 1 || gid < 1) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "sandboxUser needs a uid and a gid of 1 or more (0 is root)",
          "use the ids of an unprivileged user, for example { uid: 1000, gid: 1000 }");
    }
  }

  /// Whether this process runs as root, so that its programs need another user.
  public static boolean isDaemonRoot() {
    try {
      return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // No Linux, so no sandbox either.
      return false;
    }
  }

  /// Whether this user may read a visible file, or list and enter a visible folder.
  boolean canRead(Path path) throws IOException {
    return has(path, Files.isDirectory(path) ? READ | SEARCH : READ);
  }

  /// Whether this user may change a visible file, or the contents of a visible folder.
  boolean canWrite(Path path) throws IOException {
    return has(path, Files.isDirectory(path) ? READ | WRITE | SEARCH : READ | WRITE);
  }

  private boolean has(Path path, int wanted) throws IOException {
    int mode = (int) Files.getAttribute(path, "unix:mode");
    Object owner = Files.getAttribute(path, "unix:uid");
    boolean isInGroup = Files.getAttribute(path, "unix:gid").equals(gid);
    int group = mode >> 3;
    if (owner.equals(uid)) {
      return ((mode >> 6) & wanted) == wanted;
    }
    // Files of root are shared through its group. Otherwise there may be an access control list,
    // and then the group's rights are its upper bound.
    int allowed = owner.equals(0) && !isInGroup ? mode : group | mode;
    return (allowed & wanted) == wanted;
  }

  /// Command of setpriv(1) that starts a program as this user, without privileges.
  List<String> words(Path setpriv) {
    return List.of(
        setpriv.toString(),
        "--reuid=" + uid,
        "--regid=" + gid,
        "--clear-groups",
        "--no-new-privs",
        "--bounding-set=-all",
        "--inh-caps=-all",
        "--ambient-caps=-all",
        "--");
  }
}
