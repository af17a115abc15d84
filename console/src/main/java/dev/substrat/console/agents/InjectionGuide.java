package dev.substrat.console.agents;

import java.util.List;

/// How to take an agent along into an editor: what `./substrat connect` would write, per program.
/// `token` is the command that makes the token for doing the same by hand.
public record InjectionGuide(
    String handle, boolean isExternal, String token, List<Client> clients) {
  private static final String TOKEN = "YOUR_TOKEN";

  /// One program that speaks MCP. `command` does it by itself; `entry` is what it writes into
  /// `file`.
  public record Client(String word, String title, String file, String command, String entry) {
    /// Where the token goes.
    public String tokenPlace() {
      return entry.contains(TOKEN) ? "instead of " + TOKEN : "in the variable SUBSTRAT_TOKEN";
    }
  }

  /// Editors we know, for an agent behind `url`. An agent whose mind is elsewhere can be the editor
  /// itself; any other is taken along as words. `data` is the directory by which a command finds
  /// this daemon and no other, empty if it would find it anyway.
  public static InjectionGuide of(String handle, boolean isExternal, String url, String data) {
    String where = data.isEmpty() ? "" : " --data " + quoted(data);
    String whom = (isExternal ? "--agent " + handle : "--zoo") + where;
    return new InjectionGuide(
        handle,
        isExternal,
        "./substrat token create " + whom,
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

  /// As a shell takes it for one word.
  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_./@%+=:,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String json(String key, String url) {
    return """
    {
      "%s": {
        "substrat": {
          "type": "http",
          "url": "%s/mcp",
          "headers": { "Authorization": "Bearer %s" }
        }
      }
    }
    """
        .formatted(key, url, TOKEN);
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
