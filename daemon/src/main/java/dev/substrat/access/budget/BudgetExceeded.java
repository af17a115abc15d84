package dev.substrat.access.budget;

/// A reservation does not fit in a budget. Thrown inside of a transaction to roll it back; the
/// catcher records it in another one.
public final class BudgetExceeded extends RuntimeException {
  private final transient Budget budget;
  private final long wanted;

  BudgetExceeded(Budget budget, long wanted) {
    super(budget.reason(), null, false, false);
    this.budget = budget;
    this.wanted = wanted;
  }

  /// The budget, as read shortly before.
  public Budget budget() {
    return budget;
  }

  /// The amount that did not fit.
  public long wanted() {
    return wanted;
  }
}
