package dev.substrat.upstream;

import dev.substrat.process.Whereabouts;
import dev.substrat.sandbox.ProgramParts;
import dev.substrat.sandbox.SandboxUser;
import dev.substrat.sandbox.Walls;
import dev.substrat.upstream.RemoteFailure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The sandbox of a server's program: it sees the files of this machine and changes none. Its
/// `/tmp` is its own, with nothing in it but what the program is made of and what its words name.
///
/// Where the daemon is root and the program is not, the same goes for root's home: the program
/// could not enter it, although it may be installed there.
final class ServerWalls {
  private ServerWalls() {}

  static Walls around(ServerAddress.Program program, Optional<SandboxUser> user)
      throws IOException {
    Walls walls = program.hasNetwork() ? Walls.READ_ONLY.withNetwork() : Walls.READ_ONLY;
    Path home = Path.of(System.getProperty("user.home"));
    boolean isHomeClosed = user.isPresent() && Files.isDirectory(home) && home.getNameCount() > 0;
    List<Path> unseen = isHomeClosed ? List.of(Walls.TMP, home) : List.of(Walls.TMP);
    walls = ProgramParts.inside(unseen, named(program)).in(walls);
    if (isHomeClosed) {
      walls = walls.hiding(home);
    }
    for (Path folder : program.hidden()) {
      walls = walls.hiding(folder);
    }
    return walls;
  }

  /// The program's file, and whatever else its words name.
  private static List<Path> named(ServerAddress.Program program) {
    var named = new ArrayList<Path>();
    named.add(require(program));
    for (String word : program.command().subList(1, program.command().size())) {
      if (word.startsWith("/") && isThere(word) && !isHidden(Path.of(word), program)) {
        named.add(Path.of(word));
      }
    }
    return named;
  }

  /// Whoever looks for it behind walls would only say that some file is missing.
  private static Path require(ServerAddress.Program program) {
    String word = program.command().getFirst();
    String path =
        Objects.requireNonNullElse(program.environment().get("PATH"), Whereabouts.ours().path());
    return new Whereabouts(path, program.directory())
        .find(word)
        .orElseThrow(() ->
            RemoteFailure.because(
                Reason.NO_PROGRAM, "there is no program %s that can be started".formatted(word)));
  }

  private static boolean isThere(String word) {
    try {
      return Files.exists(Path.of(word));
    } catch (InvalidPathException e) {
      // No file has such a name.
      return false;
    }
  }

  private static boolean isHidden(Path file, ServerAddress.Program program) {
    return program.hidden().stream()
        .anyMatch(folder -> file.normalize().startsWith(folder.toAbsolutePath().normalize()));
  }
}
