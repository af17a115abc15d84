package dev.substrat.turn.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/// The first difference between a replayed turn and its record. `differences` names the arguments
/// that differ, if the tool is the same.
public record Divergence(
    int step, ObjectNode recorded, ObjectNode now, List<JsonDifference> differences) {

  static Divergence of(int step, ProviderAction recorded, ProviderAction now) {
    List<JsonDifference> differences =
        recorded instanceof ProviderAction.ToolCallAction then
                && now instanceof ProviderAction.ToolCallAction call
                && then.tool().equals(call.tool())
            ? JsonDifference.between(then.arguments(), call.arguments())
            : List.of();
    return new Divergence(step, recorded.json(), now.json(), differences);
  }
}
