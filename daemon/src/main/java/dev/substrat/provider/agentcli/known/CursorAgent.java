package dev.substrat.provider.agentcli.known;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderCapabilities;
import dev.substrat.provider.ProviderCapabilities.SystemPrompt;
import dev.substrat.provider.agentcli.AgentCli;
import dev.substrat.provider.agentcli.CliAssignment;
import dev.substrat.provider.agentcli.CliLaunch;
import dev.substrat.provider.agentcli.CliOutputParser;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Cursor's CLI, in print mode. It needs Cursor's own service, so this follows the documentation
/// and is not tested against it.
final class CursorAgent implements AgentCli {
  @Override
  public String name() {
    return "cursor-agent";
  }

  @Override
  public List<String> command() {
    return List.of("cursor-agent");
  }

  @Override
  public ProviderCapabilities capabilities() {
    return ProviderCapabilities.ofCli("substrat-{tool}", SystemPrompt.MESSAGE);
  }

  @Override
  public CliLaunch start(CliAssignment turn) {
    var words =
        new CommandLineBuilder(turn.command())
            .add("-p", "--output-format", "stream-json")
            .option("--model", turn.model())
            // Two gates: the server must be approved, and so must its tools.
            .add("--approve-mcps", "--force", "--trust")
            .add("--workspace", turn.directory().toString())
            .option("--resume", turn.session())
            .addAll(turn.arguments());
    return new CliLaunch(
        words.list(),
        new CliEnvironment().set("CURSOR_API_KEY", turn.apiKey()).map(),
        // In the home directory, because the workspace may be a repository.
        Map.of(
            ".cursor/mcp.json",
            Json.text(McpConfigFile.of(McpConfigFile.untyped(turn.door(), "url")))),
        said(turn));
  }

  /// It has no system prompt and drops old messages of a long conversation, so the system prompt is
  /// part of each prompt.
  private static String said(CliAssignment turn) {
    return turn.prompt().system() + "\n\n---\n\n" + turn.prompt().turn();
  }

  @Override
  public CliOutputParser outputParser(CliAssignment turn) {
    return new CursorOutput();
  }

  @Override
  public boolean isUnknownSession(String words) {
    String lower = words.toLowerCase(Locale.ROOT);
    return lower.contains("chat not found")
        || lower.contains("session not found")
        || lower.contains("no chat");
  }
}
