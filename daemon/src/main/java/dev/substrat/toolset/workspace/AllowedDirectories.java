package dev.substrat.toolset.workspace;

import dev.substrat.platform.sandbox.SandboxPolicy;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.team.WorkspaceConfig;
import dev.substrat.team.WorkspaceConfig.View;
import dev.substrat.team.toolconfig.McpServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What of this machine people can give to agents, and what is the daemon's own: its folder `data`,
/// but for the workspaces in it, one at a time, and its `secrets`, files that may be anywhere.
record AllowedDirectories(Path data, List<Path> secrets) {
  private static final String FOLDER = "workspaces";
  private static final String ELSEWHERE = "it must be on the daemon's machine";

  Path workspaces() {
    return data.resolve(FOLDER);
  }

  /// What is in nobody's room.
  HiddenDirectory withheld() throws IOException {
    return HiddenDirectory.of(Stream.concat(Stream.of(data), secrets.stream()).toList());
  }

  /// Whether nobody may work there, or look at it. `path` has no links in it.
  boolean isDaemons(Path path) throws IOException {
    Path own = data.toRealPath();
    Path others = own.resolve(FOLDER);
    return path.startsWith(own) && (!path.startsWith(others) || path.equals(others));
  }

  /// What people say about a workspace must be so on this machine, and must not show anybody what
  /// is the daemon's.
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
      View view = wanted.viewsOrNone().get(i);
      requireOthers("/workspace/views/" + i + "/path", view.path());
      if (view.as() != null && !view.as().equals(view.path())) {
        requireSpot("/workspace/views/" + i + "/as", view.as(), view.path());
      }
    }
    requireServerPaths(config.serversOrNone());
  }

  /// What the program of an MCP server may use. It is started beside the daemon and not in a
  /// workspace, so nothing around the daemon's folder is given to it either.
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
            "name the directories that the program needs, one by one");
      }
      if (SandboxPolicy.overlaps(real, data)) {
        throw invalid(
            pointer + " would expose the daemon's data directory: " + path,
            "choose a directory that is neither inside nor around " + data);
      }
      if (SandboxPolicy.isNeeded(real) || real.startsWith("/sys")) {
        throw invalid(
            pointer + " is a part of the operating system: " + path,
            "programs can read what they need of it anyway; name a directory of your own");
      }
    } catch (IOException | InvalidPathException e) {
      throw invalid(
          pointer + " does not exist: " + path,
          "create it on the daemon's machine first, for instance: mkdir -p " + path);
    }
  }

  private static @Nullable String directory(AgentConfig config) {
    ProviderConfig mind = config.provider();
    return mind == null ? null : mind.directory();
  }

  /// Nobody below it could have a branch otherwise, and that would be said to an agent, not to whom
  /// has to do something about it. What it has no place for yet, it may still make.
  private static void requireRepository(WorkspaceConfig wanted, @Nullable String directory) {
    String place = directory == null ? wanted.path() : directory;
    if (!wanted.isWorktree() || place == null || !Files.isDirectory(Path.of(place))) {
      return;
    }
    Path folder = Path.of(place).toAbsolutePath().normalize();
    if (GitRepository.around(folder, folder).isEmpty()) {
      throw invalid(
          "/workspace/mode is worktree, and there is no git repository at " + place,
          "run git init there and commit something, or leave the mode out");
    }
  }

  private void requirePlace(String pointer, String path) {
    if (requireOthers(pointer, path).getNameCount() == 0) {
      throw invalid(
          pointer + " is the whole machine", "choose a folder; what else it sees can be views");
    }
    if (!Files.isDirectory(Path.of(path))) {
      throw invalid(pointer + " is no directory: " + path, ELSEWHERE);
    }
  }

  private Path requireOthers(String pointer, String path) {
    if (!path.startsWith("/")) {
      throw invalid(
          pointer + " must be an absolute path: " + path, "write it out, from the first / on");
    }
    try {
      Path real = Path.of(path).toRealPath();
      if (isDaemons(real)) {
        throw invalid(
            pointer + " is the daemon's own: " + path, "choose a folder outside of " + data);
      }
      return real;
    } catch (IOException e) {
      throw invalid(pointer + " is not there: " + path, ELSEWHERE);
    }
  }

  /// Nothing can be put over the whole machine, or over what holds the agents' own workspaces.
  private void requireSpot(String pointer, String place, String path) {
    Path at = Path.of(place).normalize();
    if (at.startsWith(data) || data.startsWith(at)) {
      throw invalid(
          pointer + " would cover the daemon's own folder: " + place,
          "choose another place, such as /views/" + name(at, path));
    }
    if (SandboxPolicy.isNeeded(at)) {
      throw invalid(
          pointer + " would cover what programs need: " + place,
          "choose another place, such as /views/" + name(at, path));
    }
  }

  /// The whole machine has no name, neither as a place nor as what is seen there.
  private static String name(Path at, String path) {
    Path last = at.getNameCount() > 0 ? at.getFileName() : Path.of(path).getFileName();
    return last == null ? "machine" : last.toString();
  }

  private static Fault invalid(String message, String hint) {
    return new Fault(ErrorCode.INVALID_CONFIG, message, hint);
  }
}
