package dev.substrat.platform.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Restrictions of a sandboxed program beyond its file system view: user, privileges, resource
/// limits and the system call filter.
///
/// `user` is set if the daemon runs as root. Then `isNested` says whether a user namespace is
/// created after the change of user: in it the kernel counts the processes of each sandbox, and
/// otherwise those of all sandboxes together. `cgroup` is a cgroup v2 directory that the operator
/// delegated to the daemon: each program gets a child cgroup with limits for memory and processes.
record SandboxRestrictions(
    RestrictionPrograms tools,
    ResourceLimits limits,
    Optional<SandboxUser> user,
    boolean isNested,
    Optional<Path> cgroup) {

  /// Programs of this machine. Without `prlimit` there are no limits; without `choom` the kernel
  /// may end another program first when memory runs out.
  record RestrictionPrograms(
      Path bubblewrap,
      Optional<Path> setpriv,
      Optional<Path> prlimit,
      Optional<Path> choom,
      Optional<SeccompFilterFile> filter) {}

  /// Makes the kernel end these programs first when memory runs out.
  private static final String FIRST_VICTIM = "1000";

  /// Capabilities that bubblewrap needs to run setpriv, which drops them.
  private static final List<String> TO_CHANGE_USER =
      List.of("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP");

  /// Command before bubblewrap: a shell that opens the filter for it.
  List<String> before() {
    var script = new StringBuilder();
    cgroup.ifPresent(directory -> script.append(enter(directory)));
    // The sandbox user could not open a pipe of root again, as `echo > /dev/stderr` does. Only
    // pipes change their owner: other files may belong to the machine, such as /dev/null.
    user.ifPresent(other ->
        script.append(
            "for n in 0 1 2; do test -p /proc/self/fd/$n && /bin/chown %d /proc/self/fd/$n; done\n"
                .formatted(other.uid())));
    tools.filter().ifPresent(_ -> script.append("exec 9<\"$0\"\n"));
    script.append("exec \"$@\"");
    String file = tools.filter().map(filter -> filter.path().toString()).orElse("sandbox");
    return List.of("/bin/sh", "-c", script.toString(), file, tools.bubblewrap().toString());
  }

  /// Creates a child cgroup and moves the shell into it, before anything is started. Exits if that
  /// fails: a limit that was configured must hold. Empty cgroups of earlier programs are removed.
  private String enter(Path directory) {
    return """
    cgroup=%s
    fail() { echo "cgroup $cgroup cannot be used: $1" >&2; exit 125; }
    for controller in memory pids; do
      grep -qw $controller "$cgroup/cgroup.subtree_control" ||
        fail "$controller is not in its cgroup.subtree_control"
    done
    rmdir "$cgroup"/sandbox-* 2>/dev/null
    own=$cgroup/sandbox-$$
    mkdir "$own" &&
      echo %d > "$own/memory.max" &&
      echo 1 > "$own/memory.oom.group" &&
      echo %d > "$own/pids.max" &&
      echo $$ > "$own/cgroup.procs" || fail "the daemon cannot create or configure a child cgroup"
    """
        .formatted(
            "'" + directory.toString().replace("'", "'\\''") + "'",
            limits.totalMemoryMb() * 1024L * 1024L,
            limits.processes());
  }

  /// Namespaces and capabilities, for bubblewrap. Root changes its user instead of hiding it in a
  /// user namespace, so it can show what only root may reach, such as a workspace in its home.
  List<String> namespaces(boolean hasNetwork) {
    var words = new ArrayList<String>();
    if (user.isEmpty()) {
      words.add("--unshare-all");
      if (hasNetwork) {
        words.add("--share-net");
      }
    } else {
      words.addAll(
          List.of("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try"));
      if (!hasNetwork) {
        words.add("--unshare-net");
      }
    }
    words.addAll(List.of("--cap-drop", "ALL"));
    if (user.isPresent()) {
      words.addAll(TO_CHANGE_USER);
    }
    if (!isNested) {
      words.addAll(filter());
    }
    return words;
  }

  private List<String> filter() {
    return tools.filter().isPresent() ? List.of("--seccomp", "9") : List.of();
  }

  /// Start directory of bubblewrap. Root without its capabilities may not enter the other user's
  /// directories, so that comes after the change of user.
  Path start(Path directory) {
    return user.isPresent() ? Path.of("/") : directory;
  }

  /// Command between bubblewrap and the program.
  List<String> inside(Path directory) {
    var words = new ArrayList<String>();
    user.ifPresent(other -> words.addAll(other.words(tools.setpriv().orElseThrow())));
    if (user.isPresent() && !isNested) {
      words.addAll(List.of("/usr/bin/env", "--chdir=" + directory));
    }
    if (isNested) {
      words.add(tools.bubblewrap().toString());
      words.addAll(List.of("--unshare-user", "--dev-bind", "/", "/"));
      words.addAll(filter());
      words.addAll(List.of("--chdir", directory.toString(), "--"));
    }
    tools
        .choom()
        .ifPresent(choom -> words.addAll(List.of(choom.toString(), "-n", FIRST_VICTIM, "--")));
    tools.prlimit().ifPresent(prlimit -> words.addAll(limits.words(prlimit)));
    return words;
  }
}
