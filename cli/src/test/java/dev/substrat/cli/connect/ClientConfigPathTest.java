package dev.substrat.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.cli.terminal.CommandEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Paths of the clients' files, from manuals and other tools. It is not confirmed that Goose and VS
/// Code use XDG_CONFIG_HOME.
final class ClientConfigPathTest {
  @TempDir Path home;

  private CommandEnvironment machine(
      CommandEnvironment.OperatingSystem kind, Map<String, String> environment) {
    return new CommandEnvironment(
        environment, home.toString(), home.resolve("work").toString(), kind);
  }

  @ParameterizedTest
  @CsvSource({
    "CURSOR,LINUX,.cursor/mcp.json",
    "CURSOR,WINDOWS,.cursor/mcp.json",
    "CLAUDE,LINUX,.claude.json",
    "CODEX,MAC,.codex/config.toml",
    "VSCODE,LINUX,.config/Code/User/mcp.json",
    "VSCODE,MAC,Library/Application Support/Code/User/mcp.json",
    "VSCODE,WINDOWS,AppData/Roaming/Code/User/mcp.json",
    "GEMINI,LINUX,.gemini/settings.json",
    "GOOSE,LINUX,.config/goose/config.yaml",
    "GOOSE,MAC,.config/goose/config.yaml",
    "GOOSE,WINDOWS,AppData/Roaming/Block/goose/config/config.yaml",
    "OPENCODE,MAC,.config/opencode/opencode.json"
  })
  void a_users_file_is_in_the_home_directory(
      ClientKind client, CommandEnvironment.OperatingSystem kind, String path) {
    assertThat(ClientConfigPath.of(client, ConfigScope.USER, machine(kind, Map.of())))
        .isEqualTo(home.resolve(path));
  }

  @ParameterizedTest
  @CsvSource({
    "CLAUDE,CLAUDE_CONFIG_DIR,.claude.json",
    "CODEX,CODEX_HOME,config.toml",
    "VSCODE,XDG_CONFIG_HOME,Code/User/mcp.json",
    "GEMINI,GEMINI_CLI_HOME,.gemini/settings.json",
    "GOOSE,GOOSE_PATH_ROOT,config/config.yaml",
    "GOOSE,XDG_CONFIG_HOME,goose/config.yaml",
    "OPENCODE,XDG_CONFIG_HOME,opencode/opencode.json"
  })
  void an_environment_variable_changes_the_path(ClientKind client, String variable, String path) {
    CommandEnvironment moved =
        machine(CommandEnvironment.OperatingSystem.LINUX, Map.of(variable, "/else"));
    assertThat(ClientConfigPath.of(client, ConfigScope.USER, moved))
        .isEqualTo(Path.of("/else", path));
  }

  @ParameterizedTest
  @CsvSource({
    "CURSOR,.cursor/mcp.json",
    "CLAUDE,.mcp.json",
    "CODEX,.codex/config.toml",
    "VSCODE,.vscode/mcp.json",
    "GEMINI,.gemini/settings.json",
    "OPENCODE,opencode.json"
  })
  void a_projects_file_is_in_its_directory(ClientKind client, String path) {
    assertThat(
            ClientConfigPath.of(
                client,
                ConfigScope.PROJECT,
                machine(CommandEnvironment.OperatingSystem.LINUX, Map.of())))
        .isEqualTo(home.resolve("work").resolve(path));
  }

  @Test
  void the_existing_file_name_is_used() throws IOException {
    Path folder = Files.createDirectories(home.resolve(".config/opencode"));
    Path commented = Files.writeString(folder.resolve("opencode.jsonc"), "{}");
    CommandEnvironment here = machine(CommandEnvironment.OperatingSystem.LINUX, Map.of());

    assertThat(ClientConfigPath.of(ClientKind.OPENCODE, ConfigScope.USER, here))
        .isEqualTo(commented);
    assertThat(ClientKind.OPENCODE.isInstalled(here)).isTrue();
    assertThat(ClientKind.CLAUDE.isInstalled(here)).isFalse();
  }
}
