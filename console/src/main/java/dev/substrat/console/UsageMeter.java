package dev.substrat.console;

/// Usage of a budget. `used` and `reserved` are percentages of the cap.
public record UsageMeter(
    String label, String words, double used, double reserved, boolean isExhausted) {

  public static UsageMeter of(
      String label, String words, long cap, long spent, long reserved, boolean isExhausted) {
    double used = share(spent, cap);
    return new UsageMeter(
        label, words, used, Math.min(share(reserved, cap), 100 - used), isExhausted);
  }

  private static double share(long part, long whole) {
    return whole <= 0 ? 0 : Math.clamp(Math.round(10_000.0 * part / whole) / 100.0, 0, 100);
  }

  /// Badge text of an exhausted budget, or empty.
  public String stop() {
    if (!isExhausted) {
      return "";
    }
    return used >= 100 ? "exhausted" : "nearly exhausted";
  }

  /// Colour: `good`, `busy` from 80 percent, `bad` if exhausted.
  public String tone() {
    if (isExhausted || used >= 100) {
      return "bad";
    }
    return used >= 80 ? "busy" : "good";
  }
}
