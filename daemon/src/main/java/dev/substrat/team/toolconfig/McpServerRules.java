package dev.substrat.team.toolconfig;

import static dev.substrat.team.toolconfig.CustomToolRules.require;

import dev.substrat.platform.json.Json;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.team.toolconfig.McpServerConfig.PathAccess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// Validation of configured MCP servers beyond their schema.
public final class McpServerRules {
  private static final List<String> TRANSPORTS = List.of("http", "sse", "stdio");
  private static final List<String> MODES = List.of("ro", "rw");

  private McpServerRules() {}

  public static void requireAll(List<McpServerConfig> servers, AllowedEnvironment environment) {
    require(
        servers.size() <= CustomToolRules.MAX_COUNT,
        "/mcp/servers has more than " + CustomToolRules.MAX_COUNT + " entries",
        "remove some");
    var names = new HashSet<String>();
    var mistakes = new ConfigProblems();
    for (int i = 0; i < servers.size(); i++) {
      McpServerConfig server = servers.get(i);
      String place = "/mcp/servers/" + i;
      mistakes.note(
          place,
          () -> {
            CustomToolRules.requireName(place, server.name());
            require(
                names.add(server.name()),
                place + "/name is a duplicate: " + server.name(),
                "choose another name");
          });
      mistakes.note(
          place,
          () -> {
            requireTransport(place, server);
            requirePaths(place, server);
            CustomToolRules.requireTimeout(
                place, server.timeout(), CustomToolRules.MAX_CALL_MILLIS);
            CustomToolRules.requireInline(place, server.inlineSeconds());
            CustomToolRules.requireAllowed(Json.tree(server), place, environment);
          });
    }
    mistakes.throwIfAny();
  }

  /// Warnings: configurations that are accepted, but probably wrong.
  public static List<String> warnings(List<McpServerConfig> servers) {
    var warnings = new ArrayList<String>();
    for (int i = 0; i < servers.size(); i++) {
      String place = "/mcp/servers/" + i;
      warnings.addAll(PlaceholderRules.warnings(place, servers.get(i)));
      if (servers.get(i).command() != null && servers.get(i).url() != null) {
        warnings.add(place + " has both a `command` and a `url`: remove one of the keys");
      }
      warnings.addAll(unused(place, servers.get(i)));
    }
    return List.copyOf(warnings);
  }

  private static List<String> unused(String place, McpServerConfig server) {
    return server.tools() == null || server.allowedTools() == null
        ? List.of()
        : server.tools().keySet().stream()
            .filter(tool -> !server.allows(tool))
            .map(tool ->
                "%s/tools/%s has no effect: it is not in allowedTools%s"
                    .formatted(
                        place,
                        tool,
                        SpellingSuggestion.suggestionSuffix(tool, server.allowedTools())))
            .toList();
  }

  /// Whether a path is there, and not the daemon's, is known where the machine is known.
  private static void requirePaths(String place, McpServerConfig server) {
    List<PathAccess> paths = server.paths() == null ? List.of() : server.paths();
    require(
        paths.isEmpty() || server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO,
        place + "/paths needs transport stdio",
        "remove the key `paths`: a server with a `url` uses files of its own machine");
    var seen = new HashSet<String>();
    for (int i = 0; i < paths.size(); i++) {
      PathAccess access = paths.get(i);
      String at = place + "/paths/" + i;
      boolean isPlain =
          access.path().startsWith("/") && access.path().chars().noneMatch(c -> c < ' ');
      require(
          isPlain && !List.of(access.path().split("/")).contains(".."),
          "%s/path must be an absolute path without ..: \"%s\"".formatted(at, access.path()),
          "for example /srv/notes");
      require(
          access.mode() == null || MODES.contains(access.mode()),
          "%s/mode must be ro or rw, not \"%s\"".formatted(at, access.mode()),
          "ro: read only; rw: read and write");
      require(
          seen.add(access.path()),
          "%s/path is a duplicate: %s".formatted(at, access.path()),
          "remove one of them");
    }
  }

  private static void requireTransport(String place, McpServerConfig server) {
    String transport = server.transport();
    require(
        transport == null || TRANSPORTS.contains(transport),
        place + "/transport must be http, sse or stdio",
        SpellingSuggestion.suggestion(String.valueOf(transport), TRANSPORTS)
            + "default: stdio with a command, http with a url");
    boolean isProgram = server.transportOrDefault() == McpServerConfig.ServerTransport.STDIO;
    require(
        isProgram ? server.command() != null && !server.command().isBlank() : server.url() != null,
        place + " needs " + (isProgram ? "a command" : "a url"),
        "set it");
    require(
        isProgram || CustomToolRules.isAddress(String.valueOf(server.url())),
        place + "/url is not a URL: \"" + server.url() + "\"",
        "write the complete URL, for example https://example.com/mcp");
  }
}
