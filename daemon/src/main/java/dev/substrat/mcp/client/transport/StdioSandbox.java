package dev.substrat.mcp.client.transport;

import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.ServerAddress;
import dev.substrat.platform.process.ExecutableLookup;
import dev.substrat.platform.sandbox.ProgramFiles;
import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.platform.sandbox.SandboxUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Sandbox policy of a stdio server's program.
///
/// Without granted paths it reads the files of this machine and writes none; it has a private
/// `/tmp`, which shows only the program's own files and the files named in its arguments. With
/// granted paths it sees those, the system's programs, its own files and the files named in its
/// arguments. Directories named in its arguments must be granted, because a name says too little
/// about the contents.
public final class StdioSandbox {
  private StdioSandbox() {}

  public static SandboxPolicy around(
      ServerAddress.ProgramAddress program, Optional<SandboxUser> user) throws IOException {
    ServerAddress.ProgramRights access = program.access();
    SandboxPolicy policy =
        access.paths().isEmpty()
            ? reading(program, user)
            : ProgramFiles.ofAll(named(program).stream().filter(Files::isRegularFile).toList())
                .in(SandboxPolicy.BARE);
    policy = access.hasNetwork() ? policy.withNetwork() : policy;
    for (Path folder : program.hidden()) {
      policy = policy.hiding(folder);
    }
    for (SandboxPolicy.VisiblePath path : access.paths()) {
      policy = policy.showing(granted(path, program));
    }
    for (Path own : access.own()) {
      policy = policy.writing(own);
    }
    return policy;
  }

  /// If the daemon is root and the program is not, root's home is hidden: the program could not
  /// enter it, although it may be installed there.
  private static SandboxPolicy reading(
      ServerAddress.ProgramAddress program, Optional<SandboxUser> user) throws IOException {
    Path home = Path.of(System.getProperty("user.home"));
    boolean isHomeClosed = user.isPresent() && Files.isDirectory(home) && home.getNameCount() > 0;
    List<Path> unseen =
        isHomeClosed ? List.of(SandboxPolicy.TMP, home) : List.of(SandboxPolicy.TMP);
    SandboxPolicy policy = ProgramFiles.inside(unseen, named(program)).in(SandboxPolicy.READ_ONLY);
    return isHomeClosed ? policy.hiding(home) : policy;
  }

  /// A path may have been deleted, or become a link, since it was configured.
  private static SandboxPolicy.VisiblePath granted(
      SandboxPolicy.VisiblePath path, ServerAddress.ProgramAddress program) {
    Path real;
    try {
      real = path.path().toRealPath();
    } catch (IOException e) {
      throw RemoteFailure.because(
          FailureReason.NO_PATH, "the configured path %s does not exist".formatted(path.path()), e);
    }
    if (program.hidden().stream().anyMatch(folder -> SandboxPolicy.overlaps(real, folder))) {
      throw RemoteFailure.because(
          FailureReason.NO_PATH,
          "the configured path %s is in the daemon's data directory".formatted(path.path()));
    }
    return new SandboxPolicy.VisiblePath(real, path.at(), path.access());
  }

  /// The program's file, and files named in its arguments.
  private static List<Path> named(ServerAddress.ProgramAddress program) throws IOException {
    var named = new ArrayList<Path>();
    named.add(require(program));
    for (String word : program.command().subList(1, program.command().size())) {
      if (word.startsWith("/") && isThere(word) && !isHidden(Path.of(word), program)) {
        named.add(Path.of(word));
      }
    }
    return named;
  }

  /// Checked here, because inside of the sandbox the error would only say that some file is
  /// missing.
  private static Path require(ServerAddress.ProgramAddress program) {
    String word = program.command().getFirst();
    String path =
        Objects.requireNonNullElse(
            program.environment().get("PATH"), ExecutableLookup.ofDaemon().path());
    return new ExecutableLookup(path, program.directory())
        .find(word)
        .orElseThrow(() ->
            RemoteFailure.because(
                FailureReason.NO_PROGRAM,
                "program %s not found or not executable".formatted(word)));
  }

  private static boolean isThere(String word) {
    try {
      return Files.exists(Path.of(word));
    } catch (InvalidPathException e) {
      // Not a valid path.
      return false;
    }
  }

  /// Resolves links, so that a hidden file is not shown under another name.
  private static boolean isHidden(Path file, ServerAddress.ProgramAddress program)
      throws IOException {
    Path real = file.toRealPath();
    for (Path folder : program.hidden()) {
      Path hidden = folder.toAbsolutePath().normalize();
      if (file.normalize().startsWith(hidden)
          || (Files.exists(hidden) && real.startsWith(hidden.toRealPath()))) {
        return true;
      }
    }
    return false;
  }
}
