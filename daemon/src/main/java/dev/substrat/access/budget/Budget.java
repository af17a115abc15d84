package dev.substrat.access.budget;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;

/// One budget of one agent, in smallest units. `isExhausted` is set when a reservation did not fit,
/// until a person raises the budget.
public record Budget(
    AgentId owner,
    String handle,
    BudgetKind kind,
    long cap,
    long spent,
    long reserved,
    boolean isExhausted) {

  /// Amount that is neither used nor reserved.
  public long left() {
    return Math.max(0, cap - spent - reserved);
  }

  /// Why agents are stopped. The rest may be smaller than the next step needs.
  public String reason() {
    return "%s: %s (%s)%s"
        .formatted(
            ErrorCode.BUDGET_EXHAUSTED,
            state(),
            kind.key(),
            spent < cap ? "; the remaining amount is too small for the next step" : "");
  }

  /// Description of its use.
  public String state() {
    return "%s has used %s of %s %s"
        .formatted(handle, kind.value(spent), kind.value(cap), kind.unit());
  }

  public ObjectNode json() {
    return Json.object()
        .put("agent", handle)
        .put("kind", kind.toString())
        .put("cap", kind.value(cap))
        .put("spent", kind.value(spent))
        .put("reserved", kind.value(reserved))
        .put("left", kind.value(left()))
        .put("exhausted", isExhausted);
  }
}
