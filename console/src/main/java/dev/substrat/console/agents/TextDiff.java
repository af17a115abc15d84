package dev.substrat.console.agents;

import java.util.ArrayList;
import java.util.List;

/// Line diff of two texts.
public final class TextDiff {
  /// Longer texts are shown as removed and added as a whole.
  private static final int MAX_COUNT = 3_000;

  /// Context lines around a change.
  private static final int AROUND = 3;

  private TextDiff() {}

  public enum DiffLineKind {
    SAME,
    GONE,
    NEW,
    /// Placeholder for unchanged lines.
    SKIPPED
  }

  public record DiffLine(DiffLineKind kind, String text) {
    /// Text for screen readers; empty for an unchanged line.
    public String meaning() {
      return switch (kind) {
        case SAME -> "";
        case GONE -> "removed: ";
        case NEW -> "added: ";
        case SKIPPED -> "unchanged lines";
      };
    }

    public String sign() {
      return switch (kind) {
        case SAME -> " ";
        case GONE -> "−";
        case NEW -> "+";
        case SKIPPED -> "…";
      };
    }
  }

  /// Changed lines with context.
  public static List<DiffLine> between(String before, String after) {
    return folded(lines(before.lines().toList(), after.lines().toList()));
  }

  private static List<DiffLine> lines(List<String> before, List<String> after) {
    if (before.size() > MAX_COUNT || after.size() > MAX_COUNT) {
      var all = new ArrayList<DiffLine>();
      before.forEach(line -> all.add(new DiffLine(DiffLineKind.GONE, line)));
      after.forEach(line -> all.add(new DiffLine(DiffLineKind.NEW, line)));
      return all;
    }
    return walk(before, after, common(before, after));
  }

  /// Lengths of the longest common subsequences of all suffixes.
  private static int[][] common(List<String> before, List<String> after) {
    var length = new int[before.size() + 1][after.size() + 1];
    for (int i = before.size() - 1; i >= 0; i--) {
      for (int j = after.size() - 1; j >= 0; j--) {
        length[i][j] =
            before.get(i).equals(after.get(j))
                ? length[i + 1][j + 1] + 1
                : Math.max(length[i + 1][j], length[i][j + 1]);
      }
    }
    return length;
  }

  private static List<DiffLine> walk(List<String> before, List<String> after, int[][] common) {
    var all = new ArrayList<DiffLine>();
    int i = 0;
    int j = 0;
    while (i < before.size() || j < after.size()) {
      if (i < before.size() && j < after.size() && before.get(i).equals(after.get(j))) {
        all.add(new DiffLine(DiffLineKind.SAME, before.get(i++)));
        j++;
      } else if (j == after.size() || (i < before.size() && common[i + 1][j] >= common[i][j + 1])) {
        all.add(new DiffLine(DiffLineKind.GONE, before.get(i++)));
      } else {
        all.add(new DiffLine(DiffLineKind.NEW, after.get(j++)));
      }
    }
    return all;
  }

  private static List<DiffLine> folded(List<DiffLine> all) {
    var shown = new ArrayList<DiffLine>();
    for (int i = 0; i < all.size(); i++) {
      if (isNearChange(all, i)) {
        shown.add(all.get(i));
      } else if (shown.isEmpty() || shown.getLast().kind() != DiffLineKind.SKIPPED) {
        shown.add(new DiffLine(DiffLineKind.SKIPPED, ""));
      }
    }
    return shown;
  }

  private static boolean isNearChange(List<DiffLine> all, int at) {
    int end = Math.min(all.size(), at + AROUND + 1);
    return all.subList(Math.max(0, at - AROUND), end).stream()
        .anyMatch(line -> line.kind() != DiffLineKind.SAME);
  }
}
