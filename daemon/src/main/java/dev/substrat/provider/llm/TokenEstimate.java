package dev.substrat.provider.llm;

import dev.substrat.platform.json.Json;
import dev.substrat.provider.llm.wire.ConversationEntry;
import dev.substrat.tool.Tool;
import java.util.List;

/// Estimates the number of tokens of a text. Each model counts differently; one token per three
/// bytes is slightly more than most need.
public final class TokenEstimate {
  /// Overhead of each entry of a conversation.
  public static final long EACH = 8;

  private static final int BYTES_PER_TOKEN = 3;

  private TokenEstimate() {}

  public static long of(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        bytes += text.charAt(i) >= 0x800 ? 2 : 1;
      }
    }
    return (bytes + BYTES_PER_TOKEN - 1) / BYTES_PER_TOKEN;
  }

  static long of(List<ConversationEntry> entries) {
    return entries.stream().mapToLong(ConversationEntry::tokens).sum();
  }

  static long ofTools(List<Tool> tools) {
    return tools.stream()
        .mapToLong(tool ->
            EACH + of(tool.name()) + of(tool.description()) + of(Json.text(tool.input().json())))
        .sum();
  }

  /// Upper bound of an estimate: one and a half times as many.
  static long most(long probably) {
    return probably + probably / 2;
  }
}
