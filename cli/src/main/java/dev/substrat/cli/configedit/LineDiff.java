package dev.substrat.cli.configedit;

import java.util.ArrayList;
import java.util.List;

/// Unified diff of two texts, as `diff -u` prints it.
public final class LineDiff {
  private static final int CONTEXT = 3;
  private static final String NO_END = "\\ No newline at end of file";

  /// A line that is unchanged (' '), removed ('-') or added ('+').
  private record DiffLine(char mark, String text) {}

  private LineDiff() {}

  /// The lines of the hunks, without file names; empty if the texts are equal.
  public static List<String> between(String before, String after) {
    List<DiffLine> script = script(lines(before), lines(after));
    var hunks = new ArrayList<String>();
    int at = 0;
    while ((at = nextChange(script, at)) < script.size()) {
      int start = Math.max(0, at - CONTEXT);
      int end = hunkEnd(script, at);
      hunks.addAll(hunk(script, start, end));
      at = end;
    }
    return hunks;
  }

  /// Lines with their ends, so that a missing final newline is a difference.
  private static List<String> lines(String text) {
    var lines = new ArrayList<String>();
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      int next = end < 0 ? text.length() : end + 1;
      lines.add(text.substring(start, next));
      start = next;
    }
    return lines;
  }

  private static List<DiffLine> script(List<String> before, List<String> after) {
    int head = 0;
    int shorter = Math.min(before.size(), after.size());
    while (head < shorter && before.get(head).equals(after.get(head))) {
      head++;
    }
    int tail = 0;
    while (tail < shorter - head
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    var script = new ArrayList<DiffLine>();
    before.subList(0, head).forEach(line -> script.add(new DiffLine(' ', line)));
    script.addAll(
        middle(
            before.subList(head, before.size() - tail), after.subList(head, after.size() - tail)));
    before
        .subList(before.size() - tail, before.size())
        .forEach(line -> script.add(new DiffLine(' ', line)));
    return script;
  }

  /// Longest common subsequence.
  private static List<DiffLine> middle(List<String> before, List<String> after) {
    int[][] common = common(before, after);
    var script = new ArrayList<DiffLine>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      boolean both = i < before.size() && j < after.size();
      if (both && before.get(i).equals(after.get(j))) {
        script.add(new DiffLine(' ', before.get(i++)));
        j++;
      } else if (j == after.size() || (both && common[i + 1][j] >= common[i][j + 1])) {
        script.add(new DiffLine('-', before.get(i++)));
      } else {
        script.add(new DiffLine('+', after.get(j++)));
      }
    }
    return script;
  }

  private static int[][] common(List<String> before, List<String> after) {
    var common = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        common[i][j] =
            before.get(i).equals(after.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    return common;
  }

  private static int nextChange(List<DiffLine> script, int from) {
    int at = from;
    while (at < script.size() && script.get(at).mark() == ' ') {
      at++;
    }
    return at;
  }

  /// Changes with overlapping contexts form one hunk.
  private static int hunkEnd(List<DiffLine> script, int change) {
    int at = change;
    while (true) {
      while (at < script.size() && script.get(at).mark() != ' ') {
        at++;
      }
      int next = nextChange(script, at);
      if (next == script.size() || next - at > 2 * CONTEXT) {
        return Math.min(script.size(), at + CONTEXT);
      }
      at = next;
    }
  }

  private static List<String> hunk(List<DiffLine> script, int start, int end) {
    List<DiffLine> hunk = script.subList(start, end);
    var lines = new ArrayList<String>();
    lines.add(
        "@@ -%s +%s @@"
            .formatted(range(script, start, hunk, '+'), range(script, start, hunk, '-')));
    for (DiffLine line : hunk) {
      lines.add(line.mark() + line.text().replaceAll("\r?\n$", ""));
      if (!line.text().endsWith("\n")) {
        lines.add(NO_END);
      }
    }
    return lines;
  }

  /// Start and number of lines of the hunk on the side without `other`.
  private static String range(List<DiffLine> script, int start, List<DiffLine> hunk, char other) {
    long before = script.subList(0, start).stream().filter(line -> line.mark() != other).count();
    long length = hunk.stream().filter(line -> line.mark() != other).count();
    return (length == 0 ? before : before + 1) + "," + length;
  }
}
