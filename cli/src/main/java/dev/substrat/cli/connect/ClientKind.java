package dev.substrat.cli.connect;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.cli.configedit.ConfigFormat;
import dev.substrat.cli.terminal.CommandEnvironment;
import java.util.List;

/// A supported MCP client and the layout of its configuration.
enum ClientKind {
  CURSOR("Cursor", ConfigFormat.JSON),
  CLAUDE("Claude Code", ConfigFormat.JSON),
  CODEX("Codex", ConfigFormat.TOML),
  VSCODE("VS Code", ConfigFormat.JSON),
  GEMINI("Gemini CLI", ConfigFormat.JSON),
  GOOSE("Goose", ConfigFormat.YAML),
  OPENCODE("opencode", ConfigFormat.JSON);

  private final String title;
  private final ConfigFormat format;

  ClientKind(String title, ConfigFormat notation) {
    this.title = title;
    this.format = notation;
  }

  String title() {
    return title;
  }

  String optionName() {
    return EnumNameConverter.of(this);
  }

  ConfigFormat format() {
    return format;
  }

  /// True if a program is on the PATH or its configuration directory exists.
  boolean isInstalled(CommandEnvironment machine) {
    return programs().stream().anyMatch(machine::has) || ClientConfigPath.isPresent(this, machine);
  }

  private List<String> programs() {
    return switch (this) {
      case CURSOR -> List.of("cursor", "cursor-agent");
      case VSCODE -> List.of("code");
      case CLAUDE, CODEX, GEMINI, GOOSE, OPENCODE -> List.of(optionName());
    };
  }

  /// The keys that lead to the servers in the parsed `file`.
  List<String> container(JsonNode file) {
    return switch (this) {
      case CURSOR, CLAUDE, GEMINI -> List.of("mcpServers");
      case CODEX -> List.of("mcp_servers");
      case VSCODE -> List.of("servers");
      case GOOSE -> List.of("extensions");
      // Version 2 reads both layouts. The deeper one is used only if the file has it.
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
      // Codex has a separate field for the variable's name.
      case CODEX -> variable;
    };
  }

  /// The next step for the user to activate the connection.
  String nextStep(String name, ConfigScope scope) {
    boolean project = scope == ConfigScope.PROJECT;
    return switch (this) {
      case CURSOR ->
          "in Cursor, switch '%s' on under Settings, MCP; in a terminal: cursor-agent mcp enable %s"
              .formatted(name, name);
      case CLAUDE ->
          "restart claude%s; /mcp shows whether '%s' is connected"
              .formatted(project ? " here and approve the server" : "", name);
      case CODEX ->
          "restart codex%s; /mcp lists '%s'"
              .formatted(project ? " here, in a project that it trusts" : "", name);
      case VSCODE ->
          "in VS Code, run the command 'MCP: List Servers', choose '%s' and start it"
              .formatted(name);
      case GEMINI ->
          "restart gemini%s; /mcp lists '%s'"
              .formatted(project ? " here, in a folder that it trusts" : "", name);
      case GOOSE -> "start a new goose session; '%s' is one of its extensions".formatted(name);
      case OPENCODE -> "restart opencode; opencode mcp list shows '%s'".formatted(name);
    };
  }
}
