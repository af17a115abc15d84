package dev.substrat.testkit.llm;

import java.util.regex.Pattern;

/// Recognises text that agent CLIs add to the user's messages.
final class InjectedTextDetector {
  private static final Pattern BLOCK =
      Pattern.compile(
          "<(environment_context|system-reminder|user_instructions|permissions instructions"
              + "|session_context|info-msg|collaboration_mode|skills_instructions)[^>]*>.*?</\\1>",
          Pattern.DOTALL);

  private InjectedTextDetector() {}

  static String strip(String text) {
    return BLOCK.matcher(text).replaceAll("").strip();
  }
}
