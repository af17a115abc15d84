package dev.substrat.toolset.remote;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Cache directories of server programs in the daemon's data directory, for example for packages
/// fetched by npx: one for each agent and program, so that no program runs files left by another.
///
/// Safe for many threads: directories are created and removed one at a time.
final class ProgramHomes {
  private static final Log LOG = Log.of(ProgramHomes.class);
  private static final String FOLDER = "server-homes";
  private static final int HASH_LENGTH = 16;

  private final Path folder;

  /// Names of the home directories in use since the start of the daemon.
  private final Set<String> inUse = new HashSet<>();

  ProgramHomes(Path data) {
    this.folder = data.toAbsolutePath().normalize().resolve(FOLDER);
  }

  /// The home directory of this program, created if missing.
  synchronized Path require(AgentId agent, McpServerConfig server) {
    String name = name(agent, server);
    Path home = folder.resolve(name);
    try {
      Files.createDirectories(home);
    } catch (IOException e) {
      throw ErrorCode.UPSTREAM_ERROR.fault(
          "cannot create the cache directory of MCP server %s: %s".formatted(server.name(), home),
          "make the daemon's data directory writable and check its disk space",
          e);
    }
    inUse.add(name);
    return home;
  }

  static String name(AgentId agent, McpServerConfig server) {
    return agent.value()
        + "-"
        + ServerAddressResolver.fingerprint(server).substring(0, HASH_LENGTH);
  }

  /// Deletes the home directories of programs that are no longer configured. A running program
  /// could mislead the deletion with links, so programs that were started keep theirs until the
  /// next start.
  synchronized void deleteOthers(Set<String> configured) {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> all = Files.list(folder)) {
      List<Path> unused =
          all.filter(home -> !configured.contains(home.getFileName().toString()))
              .filter(home -> !inUse.contains(home.getFileName().toString()))
              .toList();
      for (Path home : unused) {
        delete(home);
      }
    } catch (IOException e) {
      LOG.warn("cannot delete unused directories of MCP servers", "reason", e.getMessage());
    }
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> inside = Files.walk(home)) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
