package dev.substrat.console.health;

import dev.substrat.console.NumberFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Bar chart of the last hour, one column per minute. `bad` is the failed part of a column, `most`
/// the value of the highest column, or empty.
public record MinuteChart(
    String title, String sum, String note, String most, List<ChartColumn> columns) {
  /// Height of the highest column.
  private static final int HEIGHT = 40;

  /// One minute: total height, height of the failed part, and a label.
  public record ChartColumn(int x, double height, double bad, String label) {
    public double top() {
      return HEIGHT - height;
    }

    public double badTop() {
      return HEIGHT - bad;
    }
  }

  /// `unit` is the singular noun for the label.
  public static MinuteChart of(String title, String unit, long[] counts, long[] bad) {
    long most = Math.max(1, Arrays.stream(counts).max().orElse(1));
    long failed = Arrays.stream(bad).sum();
    var columns = new ArrayList<ChartColumn>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        columns.add(
            new ChartColumn(
                i,
                height(counts[i], most),
                bad[i] == 0 ? 0 : height(bad[i], most),
                "%s, %s"
                    .formatted(NumberFormatter.of(counts[i], unit), ago(counts.length - 1 - i))));
      }
    }
    return new MinuteChart(
        title,
        NumberFormatter.count(Arrays.stream(counts).sum()),
        failed == 0 ? "" : NumberFormatter.count(failed) + " failed",
        columns.isEmpty() ? "" : NumberFormatter.count(most),
        columns);
  }

  /// At least 1.5, to stay visible.
  private static double height(long count, long most) {
    return Math.max(1.5, Math.round(100.0 * HEIGHT * count / most) / 100.0);
  }

  private static String ago(int minutes) {
    return minutes == 0 ? "this minute" : minutes + " min ago";
  }
}
