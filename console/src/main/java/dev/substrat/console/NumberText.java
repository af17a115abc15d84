package dev.substrat.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/// Numbers as people read them. Every page tells them the same way.
public final class NumberText {
  private NumberText() {}

  /// 950, 1.2k, 34k, 5.6M.
  public static String count(long number) {
    if (number < 1_000) {
      return Long.toString(number);
    }
    return number < 1_000_000 ? short1(number / 1e3) + "k" : short1(number / 1e6) + "M";
  }

  private static String short1(double number) {
    return number < 10
        ? String.format(Locale.ROOT, "%.1f", Math.floor(number * 10) / 10)
        : Long.toString((long) number);
  }

  /// 12,500 more characters: how much of a text is not shown.
  public static String more(int characters) {
    return String.format(
        Locale.ROOT, "%,d more character%s", characters, characters == 1 ? "" : "s");
  }

  /// One crate, two crates.
  public static String of(long number, String one) {
    return count(number) + " " + (number == 1 ? one : one + "s");
  }

  /// 12,500 or 1,200.50: to the last digit.
  public static String amount(BigDecimal number) {
    return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
  }

  /// $0.0031, $1.20: small sums keep what matters of them.
  public static String dollars(double sum) {
    return String.format(Locale.ROOT, sum > 0 && sum < 0.1 ? "$%.4f" : "$%.2f", sum);
  }

  /// 340 ms, 2.1 s, 3 min 4 s.
  public static String time(Duration time) {
    long millis = time.toMillis();
    if (millis < 1_000) {
      return millis + " ms";
    }
    if (millis < 60_000) {
      return String.format(Locale.ROOT, "%.1f s", Math.floor(millis / 100.0) / 10);
    }
    return time.toMinutes() + " min " + time.toSecondsPart() + " s";
  }

  /// About how many tokens a model makes of a text: a guess that holds for English within a fifth.
  public static long tokens(String text) {
    long letters = text.codePoints().filter(c -> c < 0x2E80).count();
    long signs = text.codePoints().filter(c -> c >= 0x2E80).count();
    return (letters + 3) / 4 + signs;
  }
}
