package dev.substrat.access.budget;

/// Upper bound of what one model request may use. If the price is unknown, it is the highest
/// possible; the unused part is released. Costs are millionths of a US dollar.
public record BudgetReservation(long tokens, long costMicros) {
  public static final BudgetReservation NONE = new BudgetReservation(0, 0);

  public BudgetReservation {
    if (tokens < 0 || costMicros < 0) {
      throw new IllegalArgumentException("a reservation cannot be negative");
    }
  }

  public boolean isNone() {
    return equals(NONE);
  }

  long of(BudgetKind kind) {
    return switch (kind) {
      case TOKENS -> tokens;
      case USD -> costMicros;
      case TURNS, SECONDS -> 0;
    };
  }
}
