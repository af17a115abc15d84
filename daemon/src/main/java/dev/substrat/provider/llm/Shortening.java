package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.Entry;
import java.util.List;

/// Makes a conversation shorter where it hurts least: in what tools gave back.
final class Shortening {
  private Shortening() {}

  /// The same with no result longer than so many characters.
  static List<Entry> results(List<Entry> entries, int longest) {
    return entries.stream().map(entry -> shortened(entry, longest)).toList();
  }

  private static Entry shortened(Entry entry, int longest) {
    return switch (entry) {
      case Entry.Told told -> told;
      case Entry.Said said -> said;
      case Entry.Returned returned ->
          new Entry.Returned(
              returned.results().stream()
                  .map(result ->
                      new Entry.Result(
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
