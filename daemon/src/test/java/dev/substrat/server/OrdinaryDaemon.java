package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.sandbox.SandboxUser;
import dev.substrat.testkit.Prerequisite;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real daemon of an ordinary user: of `nobody`, if the tests run as root.
///
/// All its files are in one directory of the build, because `/tmp` is never visible in a sandbox,
/// so nothing would have to be hidden there. `nobody` cannot read root's Maven repository, so there
/// is a copy of the class path, too.
final class OrdinaryDaemon implements AutoCloseable {
  private static final int NOBODY = 65_534;

  private final Path folder;
  private final RunningDaemon running;

  private OrdinaryDaemon(Path folder, RunningDaemon running) {
    this.folder = folder;
    this.running = running;
  }

  /// With a workspace that has the daemon's configuration file in it.
  static OrdinaryDaemon configured(String config) throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "ordinary-");
    Prerequisite.requireMachine(
        !folder.startsWith("/tmp"), "a sandbox has its own /tmp, so the build must be elsewhere");
    for (String name : List.of("data", "work", "classes")) {
      Files.createDirectory(folder.resolve(name));
    }
    Files.writeString(folder.resolve("work/daemon.yaml"), config);
    String classes = copyClassPath(folder.resolve("classes"));
    var before = new ArrayList<String>();
    if (SandboxUser.isDaemonRoot()) {
      run("chown", "--recursive", NOBODY + ":" + NOBODY, folder.toString());
      before.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
      before.addAll(List.of("--clear-groups", "--"));
    }
    run("chmod", "--recursive", "a+rX", folder.toString());
    run("chmod", "600", folder.resolve("work/daemon.yaml").toString());
    var jvm = new RunningDaemon.Jvm(before, List.of("-cp", classes), DaemonMain.class);
    var daemon =
        RunningDaemon.launch(
            jvm,
            folder.resolve("data"),
            "--port",
            "0",
            "--config",
            folder.resolve("work/daemon.yaml").toString());
    daemon.url();
    return new OrdinaryDaemon(folder, daemon);
  }

  private static String copyClassPath(Path to) throws IOException {
    var copies = new ArrayList<String>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (Files.exists(Path.of(entry))) {
        Path copy = to.resolve(copies.size() + "-" + Path.of(entry).getFileName());
        run("cp", "--recursive", entry, copy.toString());
        copies.add(copy.toString());
      }
    }
    return String.join(File.pathSeparator, copies);
  }

  private static void run(String... words) throws IOException {
    assertThat(new ProcessBuilder(words).inheritIO().start().onExit().join().exitValue())
        .as(String.join(" ", words))
        .isZero();
  }

  Path data() {
    return folder.resolve("data");
  }

  Path work() {
    return folder.resolve("work");
  }

  DaemonClient client() throws Exception {
    return running.client();
  }

  String url() throws Exception {
    return running.url();
  }

  @Override
  public void close() throws IOException {
    running.close();
    run("rm", "--recursive", "--force", folder.toString());
  }
}
