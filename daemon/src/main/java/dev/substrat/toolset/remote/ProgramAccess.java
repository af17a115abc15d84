package dev.substrat.toolset.remote;

import dev.substrat.team.toolconfig.McpServerConfig;
import dev.substrat.team.toolconfig.McpServerConfig.PathAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// Access of a server's program to files and network, as a sentence for the person who approves it.
record ProgramAccess(List<PathAccess> paths, boolean hasNetwork, boolean isSandboxed) {

  static ProgramAccess of(McpServerConfig server, boolean isSandboxed) {
    return new ProgramAccess(
        server.pathsOrNone(), ServerAddressResolver.hasNetwork(server), isSandboxed);
  }

  String summary() {
    if (!isSandboxed) {
      return "may read and write every file and reach every host that the daemon's user "
          + "can: no sandbox is available on this machine, so paths and network are "
          + "not enforced";
    }
    return "may write %s; may read %s; network: %s"
        .formatted(written(), read(), hasNetwork ? "yes" : "no");
  }

  private String written() {
    String granted = names(true);
    return granted.isEmpty() ? "nothing but its own caches" : granted;
  }

  private String read() {
    if (paths.isEmpty()) {
      return "every file that the daemon's user can read, except the daemon's data "
          + "directory and /tmp";
    }
    var all = new ArrayList<String>();
    String granted = names(false);
    if (!granted.isEmpty()) {
      all.add(granted);
    }
    all.add("system programs, its own package and the files named in its arguments");
    return String.join(", ", all);
  }

  private String names(boolean isWritable) {
    return paths.stream()
        .filter(path -> path.isWritable() == isWritable)
        .map(PathAccess::path)
        .collect(Collectors.joining(", "));
  }
}
