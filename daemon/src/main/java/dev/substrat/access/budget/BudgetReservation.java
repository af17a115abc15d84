package dev.substrat.access.budget;

/// The most that asking a model once may use. Whoever does not know the price says the dearest it
/// could be: what turns out not to be used is given back. Costs are millionths of a US dollar.
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
