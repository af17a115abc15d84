package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.AnthropicWire;
import dev.substrat.provider.llm.wire.ChatCompletionsWire;
import dev.substrat.provider.llm.wire.GeminiWire;
import dev.substrat.provider.llm.wire.LlmWire;
import java.util.List;

/// Vendor of a model API: default address, environment variables of the key, and an example of a
/// model name.
enum LlmVendor {
  OPENAI("openai", "https://api.openai.com/v1", "gpt-4.1-mini"),
  ANTHROPIC("anthropic", "https://api.anthropic.com", "claude-sonnet-4-5"),
  GEMINI("gemini", "https://generativelanguage.googleapis.com", "gemini-2.5-flash"),
  OLLAMA("ollama", "http://127.0.0.1:11434/v1", "qwen3:8b");

  private final String id;
  private final String base;
  private final String example;

  LlmVendor(String word, String base, String example) {
    this.id = word;
    this.base = base;
    this.example = example;
  }

  /// How configurations name it.
  String id() {
    return id;
  }

  String base() {
    return base;
  }

  List<String> keyVariables() {
    return switch (this) {
      case OPENAI -> List.of("OPENAI_API_KEY");
      case ANTHROPIC -> List.of("ANTHROPIC_API_KEY");
      case GEMINI -> List.of("GEMINI_API_KEY", "GOOGLE_API_KEY");
      case OLLAMA -> List.of();
    };
  }

  String example() {
    return example;
  }

  boolean needsKey() {
    return !keyVariables().isEmpty();
  }

  /// The configured address without the version that clients of the API append themselves.
  String cleaned(String written) {
    String address = written.strip().replaceFirst("/+$", "");
    return switch (this) {
      case OPENAI, OLLAMA -> address;
      case ANTHROPIC -> address.replaceFirst("/v1$", "");
      case GEMINI -> address.replaceFirst("/v1beta$", "");
    };
  }

  LlmWire wire(String address) {
    return switch (this) {
      case OPENAI, OLLAMA -> new ChatCompletionsWire(address.equals(OPENAI.base));
      case ANTHROPIC -> new AnthropicWire();
      case GEMINI -> new GeminiWire();
    };
  }
}
