package dev.substrat.console;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;

/// Formatting of numbers, amounts and durations.
public final class NumberFormatter {
  private NumberFormatter() {}

  /// 950, 1.2k, 34k, 5.6M.
  public static String count(long number) {
    if (number < 1_000) {
      return Long.toString(number);
    }
    return number < 1_000_000 ? short1(number / 1e3) + "k" : short1(number / 1e6) + "M";
  }

  /// A count that stops at a thousand.
  public static String bounded(long number) {
    return number < 1_000 ? Long.toString(number) : "1000+";
  }

  private static String short1(double number) {
    return number < 10
        ? String.format(Locale.ROOT, "%.1f", Math.floor(number * 10) / 10)
        : Long.toString((long) number);
  }

  /// 12,500 more characters: the part of a text that is not shown.
  public static String more(int characters) {
    return String.format(
        Locale.ROOT, "%,d more character%s", characters, characters == 1 ? "" : "s");
  }

  /// 1 crate, 2 crates.
  public static String of(long number, String one) {
    return count(number) + " " + (number == 1 ? one : one + "s");
  }

  /// 12,500 or 1,200.50: all digits.
  public static String amount(BigDecimal number) {
    return String.format(Locale.ROOT, "%,." + Math.max(0, number.scale()) + "f", number);
  }

  /// $0.0031, $1.20: small amounts keep four digits.
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

  /// Estimated number of tokens of a text; accurate within 20 percent for English.
  public static long tokens(String text) {
    long letters = text.codePoints().filter(c -> c < 0x2E80).count();
    long signs = text.codePoints().filter(c -> c >= 0x2E80).count();
    return (letters + 3) / 4 + signs;
  }
}
