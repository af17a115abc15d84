package dev.substrat.toolset.workspace;

import dev.substrat.platform.json.StorableText;
import java.util.ArrayDeque;
import java.util.Deque;

/// Captured output of a command; only its beginning and end if it is too long.
///
/// Belongs to the one reading thread.
final class CommandOutput {
  private static final int MAX_PART_LENGTH = 15_000;
  private static final int MAX_LINE_LENGTH = 2_000;

  private final StringBuilder beginning = new StringBuilder();
  private final Deque<String> end = new ArrayDeque<>();
  private int endLength;
  private long leftOut;

  void add(String line) {
    String kept = StorableText.sanitize(line);
    if (kept.length() > MAX_LINE_LENGTH) {
      kept = kept.substring(0, MAX_LINE_LENGTH) + "…";
    }
    if (end.isEmpty() && leftOut == 0 && beginning.length() + kept.length() < MAX_PART_LENGTH) {
      beginning.append(kept).append('\n');
      return;
    }
    end.add(kept);
    endLength += kept.length() + 1;
    while (endLength > MAX_PART_LENGTH && end.size() > 1) {
      endLength -= end.remove().length() + 1;
      leftOut++;
    }
  }

  boolean isTruncated() {
    return leftOut > 0;
  }

  String text() {
    var text = new StringBuilder(beginning);
    if (leftOut > 0) {
      text.append("… ").append(leftOut).append(" lines omitted …\n");
    }
    end.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}
