package dev.substrat.provider.prompt;

import java.util.ArrayList;
import java.util.List;

/// Prompt section about the calls of earlier attempts at a turn.
final class EarlierAttemptSection {
  static final String PREFACE =
      """
      An earlier turn for this ended before it was complete. These are its tool calls, oldest first,
      each with its result. They were executed: do not repeat them, continue from there.\
      """;

  /// The newest calls: they show best how far the turn got.
  private static final int MOST_CALLS = 30;

  private EarlierAttemptSection() {}

  /// One line per attempt and per call; empty if no attempt has called a tool.
  static String text(List<EarlierAttempt> attempts) {
    int calls = attempts.stream().mapToInt(attempt -> attempt.calls().size()).sum();
    if (calls == 0) {
      return "";
    }
    var lines = new ArrayList<String>();
    int skip = Math.max(0, calls - MOST_CALLS);
    if (skip > 0) {
      lines.add("(%d earlier calls are omitted)".formatted(skip));
    }
    for (EarlierAttempt attempt : attempts) {
      int skipped = Math.min(skip, attempt.calls().size());
      skip -= skipped;
      attempt.calls().stream()
          .skip(skipped)
          .map(EarlierAttempt.RecordedCall::line)
          .forEach(lines::add);
      if (skipped < attempt.calls().size()) {
        lines.add(
            "(the turn ended because: "
                + VisibleText.line(TextExcerpt.of(attempt.reason(), 300).text())
                + ")");
      }
    }
    return String.join("\n", lines);
  }
}
