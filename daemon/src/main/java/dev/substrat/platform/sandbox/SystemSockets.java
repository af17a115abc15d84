package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Unix sockets of this machine that have a file, as `/proc/net/unix` lists them.
final class SystemSockets {
  private static final Path LIST = Path.of("/proc/net/unix");

  /// Seven columns come before the name.
  private static final int NAME = 8;

  /// Folders that no sandbox shows.
  private static final Set<Path> UNSEEN =
      Set.of(Path.of("/run"), Path.of("/tmp"), Path.of("/dev"), Path.of("/proc"));

  private SystemSockets() {}

  /// Sockets outside the folders that no sandbox shows.
  static Set<Path> elsewhere() {
    var sockets = new TreeSet<Path>();
    try (Stream<String> lines = Files.lines(LIST, StandardCharsets.ISO_8859_1)) {
      lines
          .map(line -> line.strip().split("\\s+", NAME))
          .filter(columns -> columns.length == NAME && columns[NAME - 1].startsWith("/"))
          .map(columns -> Path.of(columns[NAME - 1]))
          .filter(Files::exists)
          .forEach(file -> add(file, sockets));
    } catch (IOException e) {
      // No Linux, so no sandbox either.
      return Set.of();
    }
    return sockets;
  }

  private static void add(Path file, Set<Path> sockets) {
    try {
      Path real = file.toRealPath();
      if (UNSEEN.stream().noneMatch(real::startsWith)) {
        sockets.add(real);
      }
    } catch (IOException e) {
      // Deleted meanwhile.
      sockets.remove(file);
    }
  }
}
