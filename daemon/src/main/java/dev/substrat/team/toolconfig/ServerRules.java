package dev.substrat.team.toolconfig;

import static dev.substrat.team.toolconfig.CapabilityRules.require;

import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Spelling;
import dev.substrat.team.toolconfig.McpServer.PathAccess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// What configured servers must be like beyond their shape.
public final class ServerRules {
  private static final List<String> TRANSPORTS = List.of("http", "sse", "stdio");
  private static final List<String> MODES = List.of("ro", "rw");

  private ServerRules() {}

  public static void requireAll(List<McpServer> servers, Environment environment) {
    require(
        servers.size() <= CapabilityRules.MOST,
        "/mcp/servers has more than " + CapabilityRules.MOST,
        "leave some out");
    var names = new HashSet<String>();
    var mistakes = new ConfigMistakes();
    for (int i = 0; i < servers.size(); i++) {
      McpServer server = servers.get(i);
      String place = "/mcp/servers/" + i;
      mistakes.note(
          place,
          () -> {
            CapabilityRules.requireName(place, server.name());
            require(names.add(server.name()), place + "/name is there twice", "choose another");
          });
      mistakes.note(
          place,
          () -> {
            requireTransport(place, server);
            requirePaths(place, server);
            CapabilityRules.requireTimeout(place, server.timeout(), CapabilityRules.LONGEST_CALL);
            CapabilityRules.requireInline(place, server.inlineSeconds());
            CapabilityRules.requireAllowed(Json.tree(server), place, environment);
          });
    }
    mistakes.throwIfAny();
  }

  /// What is taken, and wrong more often than not, in words for whoever configured it.
  public static List<String> doubts(List<McpServer> servers) {
    var doubts = new ArrayList<String>();
    for (int i = 0; i < servers.size(); i++) {
      String place = "/mcp/servers/" + i;
      doubts.addAll(Blanks.doubts(place, servers.get(i)));
      if (servers.get(i).command() != null && servers.get(i).url() != null) {
        doubts.add(place + " has a command and a url; it is one of them: leave the other out");
      }
      doubts.addAll(unused(place, servers.get(i)));
    }
    return List.copyOf(doubts);
  }

  private static List<String> unused(String place, McpServer server) {
    return server.tools() == null || server.allowedTools() == null
        ? List.of()
        : server.tools().keySet().stream()
            .filter(tool -> !server.allows(tool))
            .map(tool ->
                "%s/tools/%s has no effect: allowedTools does not name it%s"
                    .formatted(place, tool, Spelling.aside(tool, server.allowedTools())))
            .toList();
  }

  /// Whether a path is there, and not the daemon's, is known where the machine is known.
  private static void requirePaths(String place, McpServer server) {
    List<PathAccess> paths = server.paths() == null ? List.of() : server.paths();
    require(
        paths.isEmpty() || server.transportOrDefault() == McpServer.Transport.STDIO,
        place + "/paths is for a program that the daemon starts",
        "a server with a url uses the files of its own machine: leave paths out");
    var seen = new HashSet<String>();
    for (int i = 0; i < paths.size(); i++) {
      PathAccess access = paths.get(i);
      String at = place + "/paths/" + i;
      boolean isPlain =
          access.path().startsWith("/") && access.path().chars().noneMatch(c -> c < ' ');
      require(
          isPlain && !List.of(access.path().split("/")).contains(".."),
          "%s/path must be an absolute path without ..: \"%s\"".formatted(at, access.path()),
          "write it out, such as /srv/notes");
      require(
          access.mode() == null || MODES.contains(access.mode()),
          "%s/mode must be ro or rw, not \"%s\"".formatted(at, access.mode()),
          "ro: the program reads there; rw: it writes there, too");
      require(
          seen.add(access.path()),
          "%s/path is there twice: %s".formatted(at, access.path()),
          "keep one of them, with the mode you want");
    }
  }

  private static void requireTransport(String place, McpServer server) {
    String transport = server.transport();
    require(
        transport == null || TRANSPORTS.contains(transport),
        place + "/transport must be http, sse or stdio",
        Spelling.question(String.valueOf(transport), TRANSPORTS)
            + "leave it out: it is stdio with a command, and http with a url");
    boolean isProgram = server.transportOrDefault() == McpServer.Transport.STDIO;
    require(
        isProgram ? server.command() != null && !server.command().isBlank() : server.url() != null,
        place + " needs " + (isProgram ? "a command" : "a url"),
        "say where the server is");
    require(
        isProgram || CapabilityRules.isAddress(String.valueOf(server.url())),
        place + "/url is not an address: \"" + server.url() + "\"",
        "write all of it, such as https://example.com/mcp");
  }
}
