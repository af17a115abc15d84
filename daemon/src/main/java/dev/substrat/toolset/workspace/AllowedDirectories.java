package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.team.WorkspaceConfig.VisiblePath;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Checks which directories of this machine an agent's configuration may use. Not allowed: the
/// daemon's data directory `data`, except single workspaces in it, and its `secrets`, which are
/// files in any place.
record AllowedDirectories(Path data, List<Path> secrets) {
  private static final String FOLDER = "workspaces";
  private static final String LOCAL = "the directory must exist on the daemon's machine";

  Path workspaces() {
    return data.resolve(FOLDER);
  }

  /// Paths that no workspace contains.
  HiddenPaths withheld() throws IOException {
    return HiddenPaths.of(Stream.concat(Stream.of(data), secrets.stream()).toList());
  }

  /// Whether the path belongs to the daemon, so that no agent may see it. `path` must not contain
  /// links.
  boolean isDaemons(Path path) throws IOException {
    Path own = data.toRealPath();
    Path others = own.resolve(FOLDER);
    return path.startsWith(own) && (!path.startsWith(others) || path.equals(others));
  }

  /// Rejects a configuration whose directories do not exist on this machine or would show files of
  /// the daemon.
  void require(AgentConfig config) {
    WorkspaceConfig wanted = config.workspaceOrDefault();
    if (wanted.path() != null) {
      requirePlace("/workspace/path", wanted.path());
    }
    String directory = directory(config);
    if (directory != null && Files.isDirectory(Path.of(directory))) {
      requirePlace("/provider/directory", directory);
    }
    requireRepository(wanted, directory);
    for (int i = 0; i < wanted.viewsOrNone().size(); i++) {
      VisiblePath view = wanted.viewsOrNone().get(i);
      requireOthers("/workspace/views/" + i + "/path", view.path());
      if (view.as() != null && !view.as().equals(view.path())) {
        requireSpot("/workspace/views/" + i + "/as", view.as(), view.path());
      }
    }
    requireServerPaths(config.serversOrNone());
  }

  /// Checks the paths of an MCP server's program. It runs beside the daemon and not in a workspace,
  /// so directories that contain the data directory are not allowed either.
  private void requireServerPaths(List<McpServerConfig> servers) {
    for (int i = 0; i < servers.size(); i++) {
      @Nullable List<McpServerConfig.PathAccess> paths = servers.get(i).paths();
      for (int j = 0; paths != null && j < paths.size(); j++) {
        String pointer = "/mcp/servers/%d/paths/%d/path".formatted(i, j);
        requireGrantable(pointer, paths.get(j).path());
      }
    }
  }

  private void requireGrantable(String pointer, String path) {
    try {
      Path real = Path.of(path).toRealPath();
      if (real.getNameCount() == 0) {
        throw invalid(
            pointer + " is the whole machine: " + path,
            "list the directories that the program needs");
      }
      if (SandboxPolicy.overlaps(real, data)) {
        throw invalid(
            pointer + " would expose the daemon's data directory: " + path,
            "choose a directory that is neither inside nor around " + data);
      }
      if (SandboxPolicy.isNeeded(real) || real.startsWith("/sys")) {
        throw invalid(
            pointer + " is a part of the operating system: " + path,
            "programs can read the operating system anyway; name another directory");
      }
    } catch (IOException | InvalidPathException e) {
      throw invalid(
          pointer + " does not exist: " + path,
          "create it on the daemon's machine first, for example: mkdir -p " + path);
    }
  }

  private static @Nullable String directory(AgentConfig config) {
    ProviderConfig provider = config.provider();
    return provider == null ? null : provider.directory();
  }

  /// Checks the repository when people set the mode: otherwise an agent would get the error when it
  /// spawns a child. A directory that does not exist yet may become a repository later.
  private static void requireRepository(WorkspaceConfig wanted, @Nullable String directory) {
    String place = directory == null ? wanted.path() : directory;
    if (!wanted.isWorktree() || place == null || !Files.isDirectory(Path.of(place))) {
      return;
    }
    Path folder = Path.of(place).toAbsolutePath().normalize();
    if (GitRepository.around(folder, folder).isEmpty()) {
      throw invalid(
          "/workspace/mode is worktree, but this directory is not a git repository: " + place,
          "run git init there and create a commit, or omit the mode");
    }
  }

  private void requirePlace(String pointer, String path) {
    if (requireOthers(pointer, path).getNameCount() == 0) {
      throw invalid(
          pointer + " is the whole machine", "choose a directory, and add others as views");
    }
    if (!Files.isDirectory(Path.of(path))) {
      throw invalid(pointer + " is not a directory: " + path, LOCAL);
    }
  }

  private Path requireOthers(String pointer, String path) {
    if (!path.startsWith("/")) {
      throw invalid(pointer + " must be an absolute path: " + path, "start it with /");
    }
    try {
      Path real = Path.of(path).toRealPath();
      if (isDaemons(real)) {
        throw invalid(
            pointer + " belongs to the daemon: " + path, "choose a directory outside " + data);
      }
      return real;
    } catch (IOException e) {
      throw invalid(pointer + " does not exist: " + path, LOCAL);
    }
  }

  /// Rejects a view that would cover the data directory, which contains workspaces, or files that
  /// programs need.
  private void requireSpot(String pointer, String place, String path) {
    Path at = Path.of(place).normalize();
    if (at.startsWith(data) || data.startsWith(at)) {
      throw invalid(
          pointer + " would cover the daemon's data directory: " + place,
          "use another path, for example /views/" + name(at, path));
    }
    if (SandboxPolicy.isNeeded(at)) {
      throw invalid(
          pointer + " would cover files that programs need: " + place,
          "use another path, for example /views/" + name(at, path));
    }
  }

  /// The root directory has no file name.
  private static String name(Path at, String path) {
    Path last = at.getNameCount() > 0 ? at.getFileName() : Path.of(path).getFileName();
    return last == null ? "machine" : last.toString();
  }

  private static Fault invalid(String message, String hint) {
    return ErrorCode.INVALID_CONFIG.fault(message, hint);
  }
}
