package dev.substrat.console.health;

import dev.substrat.console.NumberText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An hour in sixty columns, one for each minute; the last is now. `bad` is the part of each that
/// went wrong, and `most` how much the highest of them stands for, empty if there is none.
public record MinuteChart(
    String title, String sum, String note, String most, List<Column> columns) {
  /// How high the highest is drawn.
  private static final int HEIGHT = 40;

  /// One minute: how high it is, and how much of that went wrong. `label` says the same.
  public record Column(int x, double height, double bad, String label) {
    public double top() {
      return HEIGHT - height;
    }

    public double badTop() {
      return HEIGHT - bad;
    }
  }

  /// `unit` is what one of them is called.
  public static MinuteChart of(String title, String unit, long[] counts, long[] bad) {
    long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    long failed = Arrays.stream(bad).sum();
    var columns = new ArrayList<Column>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        columns.add(
            new Column(
                i,
                height(counts[i], most),
                bad[i] == 0 ? 0 : height(bad[i], most),
                "%s, %s".formatted(NumberText.of(counts[i], unit), ago(counts.length - 1 - i))));
      }
    }
    return new MinuteChart(
        title,
        NumberText.count(Arrays.stream(counts).sum()),
        failed == 0 ? "" : NumberText.count(failed) + " failed",
        columns.isEmpty() ? "" : NumberText.count(most),
        columns);
  }

  /// Never too low to be seen.
  private static double height(long count, long most) {
    return Math.max(1.5, Math.round(100.0 * HEIGHT * count / most) / 100.0);
  }

  private static String ago(int minutes) {
    return minutes == 0 ? "this minute" : minutes + " min ago";
  }
}
