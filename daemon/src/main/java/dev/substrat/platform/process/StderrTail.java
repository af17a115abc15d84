package dev.substrat.platform.process;

import java.util.ArrayDeque;
import java.util.Deque;

/// Last part of a program's stderr output, which usually has the reason of a failure.
///
/// Safe for two threads: one that appends, one that reads.
final class StderrTail {
  private static final int MOST_LINES = 20;
  private static final int LONGEST = 1_000;

  private final Deque<String> lines = new ArrayDeque<>();

  synchronized void add(String line) {
    if (!line.isBlank()) {
      lines.add(line.stripTrailing());
      if (lines.size() > MOST_LINES) {
        lines.remove();
      }
    }
  }

  synchronized String text() {
    String all = String.join("\n", lines);
    return all.length() <= LONGEST ? all : "…" + all.substring(all.length() - LONGEST);
  }
}
