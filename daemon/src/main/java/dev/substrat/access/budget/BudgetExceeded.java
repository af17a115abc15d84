package dev.substrat.access.budget;

/// Something does not fit in a budget. Thrown inside a transaction, so that all of it is undone;
/// whoever catches it says so in another.
public final class BudgetExceeded extends RuntimeException {
  private final transient Budget budget;
  private final long wanted;

  BudgetExceeded(Budget budget, long wanted) {
    super(budget.reason(), null, false, false);
    this.budget = budget;
    this.wanted = wanted;
  }

  /// As it was seen shortly before.
  public Budget budget() {
    return budget;
  }

  /// How much was to be reserved.
  public long wanted() {
    return wanted;
  }
}
