package dev.substrat.provider.agentcli.known;

import dev.substrat.provider.prompt.Prompt;
import java.nio.charset.StandardCharsets;

/// The system prompt as a command-line argument. Linux limits an argument to 128 KiB, so a longer
/// prompt is sent together with the turn's prompt.
record SystemPromptArgument(Prompt prompt) {
  private static final int MAX_WORD_LENGTH = 100_000;

  /// Adds the option, if it fits.
  CommandLineBuilder on(CommandLineBuilder words, String option) {
    return fits() ? words.add(option, prompt.system()) : words;
  }

  String input() {
    return fits() ? prompt.turn() : prompt.system() + "\n\n---\n\n" + prompt.turn();
  }

  private boolean fits() {
    return prompt.system().getBytes(StandardCharsets.UTF_8).length <= MAX_WORD_LENGTH;
  }
}
