package dev.substrat.cli.agent;

import java.util.Iterator;
import java.util.List;

/// Provider names for shell completion. A daemon may know more.
final class ProviderCandidates implements Iterable<String> {
  private static final List<String> ALL =
      List.of(
          "acp",
          "anthropic",
          "claude",
          "cli",
          "codex",
          "copilot",
          "cursor-agent",
          "external",
          "gemini",
          "gemini-cli",
          "goose",
          "ollama",
          "openai",
          "opencode",
          "qwen",
          "scripted");

  @Override
  public Iterator<String> iterator() {
    return ALL.iterator();
  }
}
