package dev.substrat.turn.replay;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.Providers;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import org.jspecify.annotations.Nullable;

/// Provider or model to use for a replay or fork instead of the recorded one. Default: the recorded
/// one.
public record ProviderOverride(
    @JsonPropertyDescription("Provider to use instead of the agent's own.")
        @Nullable ProviderConfig provider,
    @JsonPropertyDescription("Another model of the same provider.") @Nullable String model) {

  /// The configuration with this provider, validated and complete.
  AgentConfig in(AgentConfig config, Providers providers) {
    var tree = (ObjectNode) Json.tree(config);
    if (provider != null) {
      tree.set("provider", Json.tree(provider));
    }
    if (model != null) {
      tree.withObjectProperty("provider").put("model", model);
    }
    AgentConfig changed = Json.as(tree, AgentConfig.class);
    if (changed.provider() != null && changed.provider().name().equals(ProviderConfig.EXTERNAL)) {
      throw RunRecord.external();
    }
    return provider == null && model == null ? config : providers.prepare(changed);
  }
}
