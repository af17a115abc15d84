package dev.substrat.provider.agentcli.known;

import dev.substrat.provider.agentcli.AgentCli;
import java.util.List;

/// List of the supported CLIs.
public final class KnownClis {
  private KnownClis() {}

  public static List<AgentCli> all() {
    return List.of(
        new ClaudeCode(),
        new Codex(),
        new CursorAgent(),
        new GeminiCli(),
        new Goose(),
        new OpenCode(),
        new QwenCode(),
        new Copilot());
  }
}
