package dev.substrat.provider.agentcli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.sandbox.SharedFileOwnership;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The private home directory of one agent's CLI: configuration and conversations, separate from
/// those of the user.
///
/// The agent can write there at any time, so the daemon never writes through a symbolic link.
public record CliHomeDirectory(Path path) {
  private static final FileAttribute<Set<PosixFilePermission>> FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
  private static final FileAttribute<Set<PosixFilePermission>> FILE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  public static CliHomeDirectory of(Path data, AgentId agent, String cli) throws IOException {
    CliHomeDirectory home = at(data, agent, cli);
    Files.createDirectories(home.path(), FOLDER);
    return home;
  }

  /// Where it is, or would be.
  static CliHomeDirectory at(Path data, AgentId agent, String cli) {
    return new CliHomeDirectory(data.resolve("minds").resolve(agent.value()).resolve(cli));
  }

  boolean has(String file) {
    return Files.exists(path.resolve(file), LinkOption.NOFOLLOW_LINKS);
  }

  /// Writes a file for its owner only, whole or not at all.
  Path write(String name, String content) throws IOException {
    Path file = path.resolve(name).normalize();
    if (!file.startsWith(path) || file.equals(path)) {
      throw new IOException(name + " is outside the home directory");
    }
    Path folder = file.resolveSibling("");
    makeFolders(folder);
    Path fresh = Files.createTempFile(folder, ".substrat-", ".tmp", FILE);
    Files.write(fresh, content.getBytes(UTF_8));
    SharedFileOwnership.inherit(fresh);
    return Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void makeFolders(Path folder) throws IOException {
    Path here = path;
    for (Path step : path.relativize(folder)) {
      here = here.resolve(step);
      if (!step.toString().isEmpty() && !Files.isDirectory(here, LinkOption.NOFOLLOW_LINKS)) {
        Files.deleteIfExists(here);
        Files.createDirectory(here, FOLDER);
        SharedFileOwnership.inherit(here);
      }
    }
  }
}
