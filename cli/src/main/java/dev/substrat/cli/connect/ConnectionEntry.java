package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.cli.client.JsonTree;
import java.util.List;

/// Connection to Substrat, written in the format of a client's configuration.
sealed interface ConnectionEntry {
  String VARIABLE = "SUBSTRAT_TOKEN";

  /// A program to start; its arguments name the principal. Contains no secret.
  record StdioEntry(String command, List<String> arguments) implements ConnectionEntry {}

  /// The daemon's URL and a token.
  record HttpEntry(String url, String token) implements ConnectionEntry {}

  /// The daemon's URL and the name of an environment variable with the token.
  record HttpEntryWithVariable(String url) implements ConnectionEntry {}

  default ObjectNode entry(ClientKind client, String name) {
    return switch (this) {
      case StdioEntry stdio -> stdio(client, name, stdio);
      case HttpEntry http -> http(client, name, http.url(), http.token());
      case HttpEntryWithVariable http when client == ClientKind.CODEX ->
          JsonTree.object().put("url", http.url()).put("bearer_token_env_var", VARIABLE);
      case HttpEntryWithVariable http -> {
        var entry = http(client, name, http.url(), client.reference(VARIABLE));
        if (client == ClientKind.GOOSE) {
          entry.putArray("env_keys").add(VARIABLE);
        }
        yield entry;
      }
    };
  }

  private static ObjectNode stdio(ClientKind client, String name, StdioEntry connection) {
    return switch (client) {
      case CURSOR, CODEX, GEMINI -> program(JsonTree.object(), "command", connection);
      case CLAUDE, VSCODE -> program(JsonTree.object().put("type", "stdio"), "command", connection);
      case GOOSE -> program(goose(name).put("type", "stdio"), "cmd", connection);
      case OPENCODE -> {
        var entry = JsonTree.object().put("type", "local").put("enabled", true);
        var words = entry.putArray("command").add(connection.command());
        connection.arguments().forEach(words::add);
        yield entry;
      }
    };
  }

  private static ObjectNode program(ObjectNode entry, String key, StdioEntry connection) {
    var arguments = entry.put(key, connection.command()).putArray("args");
    connection.arguments().forEach(arguments::add);
    return entry;
  }

  private static ObjectNode goose(String name) {
    return JsonTree.object()
        .put("enabled", true)
        .put("name", name)
        .put("description", "Substrat")
        .put("timeout", 300L);
  }

  private static ObjectNode http(ClientKind client, String name, String url, String token) {
    ObjectNode entry =
        switch (client) {
          case CURSOR, CODEX -> JsonTree.object().put("url", url);
          case CLAUDE, VSCODE -> JsonTree.object().put("type", "http").put("url", url);
          case GEMINI -> JsonTree.object().put("httpUrl", url);
          case GOOSE -> goose(name).put("type", "streamable_http").put("uri", url);
          // Without this, the client would try OAuth first, which the daemon does not support.
          case OPENCODE ->
              JsonTree.object()
                  .put("type", "remote")
                  .put("enabled", true)
                  .put("oauth", false)
                  .put("url", url);
        };
    String headers = client == ClientKind.CODEX ? "http_headers" : "headers";
    entry.putObject(headers).put("Authorization", "Bearer " + token);
    return entry;
  }
}
