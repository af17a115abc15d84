package dev.substrat.platform.sandbox;

import dev.substrat.platform.process.ChildProcess.LaunchParameters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The user of a daemon that does not run as root: the current user, or `nobody` if the tests run
/// as root.
final class OrdinaryUser {
  private static final int NOBODY = 65_534;

  private OrdinaryUser() {}

  static Sandbox sandbox(SandboxSettings settings) {
    return Sandbox.ofOrdinaryUser(System.getenv("PATH"), settings);
  }

  /// The same program, started by that user, who can access and change its directory.
  static LaunchParameters as(LaunchParameters launch) throws IOException {
    if (!SandboxUser.isDaemonRoot()) {
      return launch;
    }
    for (Path path : List.of(launch.directory(), launch.directory().resolveSibling(""))) {
      Files.setAttribute(path, "unix:uid", NOBODY);
    }
    var words = new ArrayList<String>();
    words.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
    words.addAll(List.of("--clear-groups", "--"));
    words.addAll(launch.command());
    return new LaunchParameters(
        words,
        launch.directory(),
        launch.environment(),
        launch.redact(),
        launch.longestLine(),
        launch.supervision());
  }
}
