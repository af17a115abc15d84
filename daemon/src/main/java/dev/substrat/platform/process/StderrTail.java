package dev.substrat.platform.process;

import java.util.ArrayDeque;
import java.util.Deque;

/// The end of what a program wrote to stderr: mostly that is why it failed.
///
/// Safe for two threads: one that adds, one that asks.
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
