package dev.substrat.provider.llm;

import dev.substrat.provider.llm.wire.ConversationEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/// The conversation of one turn with its model. If it is too long, tool results are shortened.
/// Belongs to its turn's thread.
final class TurnConversation {
  private static final int SHORT_RESULT = 2_000;
  private static final int MIN_RESULT_LENGTH = 200;

  private final List<ConversationEntry> entries = new ArrayList<>();

  void add(ConversationEntry entry) {
    entries.add(entry);
  }

  List<ConversationEntry> entries() {
    return List.copyOf(entries);
  }

  /// Shortens the conversation as far as necessary and possible.
  void fit(BooleanSupplier isTooMuch) {
    if (!isTooMuch.getAsBoolean()) {
      return;
    }
    shortenOlder();
    ConversationEntry newest = entries.getLast();
    int longest = longest(newest) / 2;
    while (isTooMuch.getAsBoolean() && longest >= MIN_RESULT_LENGTH) {
      cutNewest(newest, longest);
      longest /= 2;
    }
  }

  /// Halves it after the API rejected it as too long.
  void halve() {
    if (!entries.isEmpty()) {
      shortenOlder();
      cutNewest(entries.getLast(), Math.max(MIN_RESULT_LENGTH, longest(entries.getLast()) / 2));
    }
  }

  /// Shortens all results except the newest: the model has already used the others.
  private void shortenOlder() {
    int newest = Math.max(0, entries.size() - 1);
    List<ConversationEntry> shorter =
        HistoryTruncation.results(entries.subList(0, newest), SHORT_RESULT);
    for (int i = 0; i < newest; i++) {
      entries.set(i, shorter.get(i));
    }
  }

  private void cutNewest(ConversationEntry newest, int longest) {
    entries.set(entries.size() - 1, HistoryTruncation.results(List.of(newest), longest).getFirst());
  }

  private static int longest(ConversationEntry entry) {
    return entry instanceof ConversationEntry.ToolResults returned
        ? returned.results().stream().mapToInt(result -> result.text().length()).max().orElse(0)
        : 0;
  }
}
