package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.edit.ConfigFormat;
import dev.substrat.cli.shell.CommandEnvironment;
import java.util.List;

/// A program that can talk to MCP servers, and how it wants to be told about them.
enum ClientKind {
  CURSOR("Cursor", ConfigFormat.JSON),
  CLAUDE("Claude Code", ConfigFormat.JSON),
  CODEX("Codex", ConfigFormat.TOML),
  VSCODE("VS Code", ConfigFormat.JSON),
  GEMINI("Gemini CLI", ConfigFormat.JSON),
  GOOSE("Goose", ConfigFormat.YAML),
  OPENCODE("opencode", ConfigFormat.JSON);

  private final String title;
  private final ConfigFormat notation;

  ClientKind(String title, ConfigFormat notation) {
    this.title = title;
    this.notation = notation;
  }

  String title() {
    return title;
  }

  String word() {
    return EnumNames.of(this);
  }

  ConfigFormat notation() {
    return notation;
  }

  /// An editor may be installed without a program on the path; its directory gives it away.
  boolean isOn(CommandEnvironment machine) {
    return programs().stream().anyMatch(machine::has) || ClientConfigPath.shows(this, machine);
  }

  private List<String> programs() {
    return switch (this) {
      case CURSOR -> List.of("cursor", "cursor-agent");
      case VSCODE -> List.of("code");
      case CLAUDE, CODEX, GEMINI, GOOSE, OPENCODE -> List.of(word());
    };
  }

  /// The keys that lead to the servers in a file that says `file` so far.
  List<String> container(JsonNode file) {
    return switch (this) {
      case CURSOR, CLAUDE, GEMINI -> List.of("mcpServers");
      case CODEX -> List.of("mcp_servers");
      case VSCODE -> List.of("servers");
      case GOOSE -> List.of("extensions");
      // Version 2 has them one level deeper. It reads both; only in a file of its own kind does
      // ours
      // have to fit in.
      case OPENCODE ->
          file.path("mcp").path("servers").isObject()
                  && !file.path("mcp").path("servers").has("type")
              ? List.of("mcp", "servers")
              : List.of("mcp");
    };
  }

  /// How a value of this client's file refers to an environment variable.
  String reference(String variable) {
    return switch (this) {
      case CURSOR, VSCODE -> "${env:" + variable + "}";
      case CLAUDE, GEMINI, GOOSE -> "${" + variable + "}";
      case OPENCODE -> "{env:" + variable + "}";
      // It names the variable in a field of its own.
      case CODEX -> variable;
    };
  }

  /// What a person has to do until the client talks to us.
  String next(String name, ConfigScope scope) {
    boolean project = scope == ConfigScope.PROJECT;
    return switch (this) {
      case CURSOR ->
          "in Cursor, switch '%s' on under Settings, MCP; in a terminal: cursor-agent mcp enable %s"
              .formatted(name, name);
      case CLAUDE ->
          "start claude again%s; /mcp shows whether '%s' is connected"
              .formatted(project ? " here and approve the server" : "", name);
      case CODEX ->
          "start codex again%s; /mcp lists '%s'"
              .formatted(project ? " here, in a project that it trusts" : "", name);
      case VSCODE ->
          "in VS Code, run the command 'MCP: List Servers', choose '%s' and start it"
              .formatted(name);
      case GEMINI ->
          "start gemini again%s; /mcp lists '%s'"
              .formatted(project ? " here, in a folder that it trusts" : "", name);
      case GOOSE -> "start a new goose session; '%s' is one of its extensions".formatted(name);
      case OPENCODE -> "start opencode again; opencode mcp list shows '%s'".formatted(name);
    };
  }
}
