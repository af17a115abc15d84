package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import java.util.List;

/// The tools to subscribe to the ends of other agents' turns.
public record SubscriptionTools(TurnSubscriptions subscriptions) {

  /// The agent to subscribe to.
  public record SubscriptionInput(
      @JsonPropertyDescription("Name of your parent, a child or a sibling.") String name) {}

  public List<Tool> tools() {
    return List.of(
        SimpleTool.of(
            "subscribe",
            ToolEffect.SETS,
            SubscriptionInput.class,
            Confirmation.class,
            """
            Get a notice whenever the named agent ends a turn or is terminated. Use it instead of repeated
            inspect_agent calls.\
            """,
            (call, input) ->
                new Confirmation("subscribed", subscriptions.add(call, input.name()).name())),
        SimpleTool.of(
            "unsubscribe",
            ToolEffect.ENDS,
            SubscriptionInput.class,
            Confirmation.class,
            "End a subscription.",
            (call, input) ->
                new Confirmation("unsubscribed", subscriptions.remove(call, input.name()).name())));
  }
}
