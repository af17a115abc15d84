package dev.substrat.console.agents;

import java.util.List;

/// How to take an agent along into an editor: what `./substrat connect` would write, per program.
public record Taking(String handle, boolean isExternal, List<Client> clients) {

  /// One program that speaks MCP. `command` does it by itself; `entry` is what it writes into
  /// `file`.
  public record Client(String word, String title, String file, String command, String entry) {}

  /// Editors we know, for an agent behind `url`. An agent whose mind is elsewhere can be the editor
  /// itself; any other is taken along as words.
  public static Taking of(String handle, boolean isExternal, String url) {
    String whom = isExternal ? "--agent " + handle : "--zoo";
    return new Taking(
        handle,
        isExternal,
        List.of(
            client("cursor", "Cursor", "~/.cursor/mcp.json", whom, json("mcpServers", url)),
            client("claude", "Claude Code", "~/.claude.json", whom, json("mcpServers", url)),
            client("vscode", "VS Code", ".vscode/mcp.json", whom, json("servers", url)),
            client("codex", "Codex", "~/.codex/config.toml", whom, toml(url)),
            client(
                "gemini", "Gemini CLI", "~/.gemini/settings.json", whom, json("mcpServers", url))));
  }

  private static Client client(String word, String title, String file, String whom, String entry) {
    return new Client(
        word, title, file, "./substrat connect %s %s --write".formatted(word, whom), entry);
  }

  private static String json(String key, String url) {
    return """
    {
      "%s": {
        "substrat": {
          "type": "http",
          "url": "%s/mcp",
          "headers": { "Authorization": "Bearer YOUR_TOKEN" }
        }
      }
    }
    """
        .formatted(key, url);
  }

  private static String toml(String url) {
    return """
    [mcp_servers.substrat]
    url = "%s/mcp"
    bearer_token_env_var = "SUBSTRAT_TOKEN"
    """
        .formatted(url);
  }
}
