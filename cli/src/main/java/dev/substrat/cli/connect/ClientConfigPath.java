package dev.substrat.cli.connect;

import dev.substrat.cli.terminal.CommandEnvironment;
import dev.substrat.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Paths of the clients' MCP configuration files.
final class ClientConfigPath {

  private ClientConfigPath() {}

  static Path of(ClientKind client, ConfigScope scope, CommandEnvironment machine) {
    return find(client, scope, machine)
        .orElseThrow(() ->
            ErrorCode.INVALID_ARGUMENTS.fault(
                "%s has no project configuration file".formatted(client.title()),
                "remove --scope; the user's file then applies to all projects"));
  }

  static Optional<Path> find(ClientKind client, ConfigScope scope, CommandEnvironment machine) {
    return switch (scope) {
      case USER -> Optional.of(user(client, machine));
      case PROJECT -> project(client, machine.workingFolder());
    };
  }

  private static Path user(ClientKind client, CommandEnvironment machine) {
    Path home = machine.homeFolder();
    return switch (client) {
      case CURSOR -> home.resolve(".cursor/mcp.json");
      case CLAUDE -> machine.folder("CLAUDE_CONFIG_DIR").orElse(home).resolve(".claude.json");
      case CODEX ->
          machine.folder("CODEX_HOME").orElse(home.resolve(".codex")).resolve("config.toml");
      case VSCODE -> applications(machine).resolve("Code/User/mcp.json");
      case GEMINI ->
          machine.folder("GEMINI_CLI_HOME").orElse(home).resolve(".gemini/settings.json");
      case GOOSE ->
          machine
              .folder("GOOSE_PATH_ROOT")
              .map(root -> root.resolve("config"))
              .orElse(
                  machine.kind() == CommandEnvironment.OperatingSystem.WINDOWS
                      ? applications(machine).resolve("Block/goose/config")
                      : settings(machine).resolve("goose"))
              .resolve("config.yaml");
      case OPENCODE -> opencode(settings(machine).resolve("opencode"));
    };
  }

  private static Optional<Path> project(ClientKind client, Path directory) {
    return switch (client) {
      case CURSOR -> Optional.of(directory.resolve(".cursor/mcp.json"));
      case CLAUDE -> Optional.of(directory.resolve(".mcp.json"));
      case CODEX -> Optional.of(directory.resolve(".codex/config.toml"));
      case VSCODE -> Optional.of(directory.resolve(".vscode/mcp.json"));
      case GEMINI -> Optional.of(directory.resolve(".gemini/settings.json"));
      case GOOSE -> Optional.empty();
      case OPENCODE -> Optional.of(opencode(directory));
    };
  }

  /// `opencode.jsonc` only if it exists and `opencode.json` does not.
  private static Path opencode(Path folder) {
    Path commented = folder.resolve("opencode.jsonc");
    Path plain = folder.resolve("opencode.json");
    return Files.exists(commented) && Files.notExists(plain) ? commented : plain;
  }

  /// Directory for settings of terminal programs, on every system.
  private static Path settings(CommandEnvironment machine) {
    return machine.folder("XDG_CONFIG_HOME").orElse(machine.homeFolder().resolve(".config"));
  }

  /// Directory for settings of desktop applications.
  private static Path applications(CommandEnvironment machine) {
    return switch (machine.kind()) {
      case LINUX -> settings(machine);
      case MAC -> machine.homeFolder().resolve("Library/Application Support");
      case WINDOWS ->
          machine.folder("APPDATA").orElse(machine.homeFolder().resolve("AppData/Roaming"));
    };
  }

  /// True if the client's configuration file or its directory exists.
  static boolean isPresent(ClientKind client, CommandEnvironment machine) {
    Path file = user(client, machine);
    Path folder = file.resolveSibling("");
    return Files.exists(file)
        || (!folder.equals(machine.homeFolder()) && Files.isDirectory(folder));
  }
}
