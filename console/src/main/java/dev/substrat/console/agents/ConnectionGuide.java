package dev.substrat.console.agents;

import java.util.List;

/// Instructions to connect MCP clients to an agent: what `./substrat connect` writes, per client.
/// `token` is the command that creates the token for a manual setup.
public record ConnectionGuide(
    String handle, boolean isExternal, String token, List<ClientInstructions> clients) {
  private static final String TOKEN = "YOUR_TOKEN";

  /// An MCP client. `command` configures it; `entry` is the text for a manual entry in `file`.
  public record ClientInstructions(
      String word, String title, String file, String command, String entry) {
    /// Where to put the token.
    public String tokenPlace() {
      return entry.contains(TOKEN) ? "instead of " + TOKEN : "in the variable SUBSTRAT_TOKEN";
    }
  }

  /// Supported clients for a daemon at `url`. A client acts as an external agent itself; other
  /// agents are injected as a prompt. `data` is the data directory that the commands need to find
  /// this daemon, empty if it is the default.
  public static ConnectionGuide of(String handle, boolean isExternal, String url, String data) {
    String where = data.isEmpty() ? "" : " --data " + quoted(data);
    String principal = (isExternal ? "--agent " + handle : "--zoo") + where;
    return new ConnectionGuide(
        handle,
        isExternal,
        "./substrat token create " + principal,
        List.of(
            client("cursor", "Cursor", "~/.cursor/mcp.json", principal, json("mcpServers", url)),
            client("claude", "Claude Code", "~/.claude.json", principal, json("mcpServers", url)),
            client("vscode", "VS Code", ".vscode/mcp.json", principal, json("servers", url)),
            client("codex", "Codex", "~/.codex/config.toml", principal, toml(url)),
            client(
                "gemini",
                "Gemini CLI",
                "~/.gemini/settings.json",
                principal,
                json("mcpServers", url))));
  }

  private static ClientInstructions client(
      String word, String title, String file, String principal, String entry) {
    return new ClientInstructions(
        word, title, file, "./substrat connect %s %s --write".formatted(word, principal), entry);
  }

  /// Quoted for a shell.
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
