package dev.substrat.access.budget;

import java.math.BigDecimal;
import java.util.Locale;

/// Kind of budget. Amounts are integers of the kind's smallest unit, because sums of fractions
/// drift.
public enum BudgetKind {
  USD("USD", 1_000_000),
  TOKENS("tokens", 1),
  TURNS("turns", 1),
  /// Duration of turns: waiting for a model counts, waiting for messages does not.
  SECONDS("seconds", 1_000);

  private final String unit;
  private final long parts;

  BudgetKind(String unit, long parts) {
    this.unit = unit;
    this.parts = parts;
  }

  /// Converts to the smallest unit, rounded.
  public long amount(double value) {
    return Math.round(value * parts);
  }

  /// The amount as a person writes it.
  public BigDecimal value(long amount) {
    BigDecimal value = BigDecimal.valueOf(amount).divide(BigDecimal.valueOf(parts));
    // Never 5E+1.
    return new BigDecimal(value.stripTrailingZeros().toPlainString());
  }

  /// The key of an agent's configuration that sets it.
  public String key() {
    return "limits.budget" + name().charAt(0) + name().substring(1).toLowerCase(Locale.ROOT);
  }

  public String unit() {
    return unit;
  }

  /// Name in requests, options and tables.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  static BudgetKind parse(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
