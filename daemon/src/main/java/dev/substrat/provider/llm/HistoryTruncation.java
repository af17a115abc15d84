package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.ConversationEntry;
import java.util.List;

/// Shortens a conversation where it costs least: in tool results.
final class HistoryTruncation {
  private HistoryTruncation() {}

  /// The same entries with results of at most this many characters.
  static List<ConversationEntry> results(List<ConversationEntry> entries, int longest) {
    return entries.stream().map(entry -> shortened(entry, longest)).toList();
  }

  private static ConversationEntry shortened(ConversationEntry entry, int longest) {
    return switch (entry) {
      case ConversationEntry.UserText user -> user;
      case ConversationEntry.AssistantText said -> said;
      case ConversationEntry.ToolResults returned ->
          new ConversationEntry.ToolResults(
              returned.results().stream()
                  .map(result ->
                      new ConversationEntry.CallResult(
                          result.callId(),
                          result.tool(),
                          text(result.text(), longest),
                          result.isError()))
                  .toList());
    };
  }

  static String text(String text, int longest) {
    if (text.length() <= longest) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest;
    return text.substring(0, end) + "… [cut: " + (text.length() - end) + " more characters]";
  }
}
