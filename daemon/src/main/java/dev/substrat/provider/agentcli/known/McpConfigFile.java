package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.agentcli.ToolEndpoint;
import java.util.List;

/// MCP configuration in the form that most CLIs read: `{"mcpServers":{"substrat":{…}}}`. The
/// details differ between CLIs.
public final class McpConfigFile {
  private McpConfigFile() {}

  /// With `entry` as the only server.
  public static ObjectNode of(ObjectNode entry) {
    var file = Json.object();
    file.putObject("mcpServers").set(ToolEndpoint.NAME, entry);
    return file;
  }

  /// An entry of type `http` or `stdio`, as Claude Code has it and many others do.
  public static ObjectNode typed(ToolEndpoint endpoint) {
    return switch (endpoint) {
      case ToolEndpoint.HttpEndpoint http ->
          address(Json.object().put("type", "http"), "url", http);
      case ToolEndpoint.StdioEndpoint stdio ->
          program(Json.object().put("type", "stdio"), stdio.command());
    };
  }

  /// An entry whose address is under `key`, or a program.
  static ObjectNode untyped(ToolEndpoint endpoint, String key) {
    return switch (endpoint) {
      case ToolEndpoint.HttpEndpoint http -> address(Json.object(), key, http);
      case ToolEndpoint.StdioEndpoint stdio -> program(Json.object(), stdio.command());
    };
  }

  private static ObjectNode address(ObjectNode entry, String key, ToolEndpoint.HttpEndpoint http) {
    entry.put(key, http.url());
    entry.putObject("headers").put("Authorization", "Bearer " + http.token());
    return entry;
  }

  private static ObjectNode program(ObjectNode entry, List<String> command) {
    entry.put("command", command.getFirst());
    var arguments = entry.putArray("args");
    command.stream().skip(1).forEach(arguments::add);
    return entry;
  }
}
