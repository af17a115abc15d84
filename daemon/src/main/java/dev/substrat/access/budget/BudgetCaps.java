package dev.substrat.access.budget;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.access.limit.AgentLimits;
import dev.substrat.protocol.ErrorCode;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Caps of all budget kinds. A missing value means no limit, or no change in an update.
public record BudgetCaps(
    @JsonPropertyDescription("Cost in US dollars, for example 2.5.") @Nullable Double usd,
    @Nullable Long tokens,
    @Nullable Long turns,
    @JsonPropertyDescription("Total duration of turns in seconds.") @Nullable Long seconds) {

  public static final BudgetCaps NONE = new BudgetCaps(null, null, null, null);

  /// Larger than any real budget, and small enough not to overflow when multiplied.
  private static final double MAX_AMOUNT = 1e12;

  public static BudgetCaps of(AgentLimits limits) {
    return new BudgetCaps(
        limits.budgetUsd(), limits.budgetTokens(), limits.budgetTurns(), limits.budgetSeconds());
  }

  /// In smallest units.
  public Map<BudgetKind, Long> amounts() {
    var amounts = new EnumMap<BudgetKind, Long>(BudgetKind.class);
    put(amounts, BudgetKind.USD, usd);
    put(amounts, BudgetKind.TOKENS, tokens);
    put(amounts, BudgetKind.TURNS, turns);
    put(amounts, BudgetKind.SECONDS, seconds);
    return amounts;
  }

  private static void put(Map<BudgetKind, Long> amounts, BudgetKind kind, @Nullable Number value) {
    if (value == null) {
      return;
    }
    double wanted = value.doubleValue();
    if (!(wanted <= MAX_AMOUNT) || kind.amount(wanted) < 1) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "a budget must be more than 0, not %s %s".formatted(value, kind.unit()),
          "omit the key to set no budget");
    }
    amounts.put(kind, kind.amount(wanted));
  }
}
