package dev.substrat.provider;

import dev.substrat.fault.Fault;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.AgentConfig;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The providers this daemon has.
public final class Providers {
  /// What an agent gets whose configuration names none.
  private static final AgentConfig.Mind DEFAULT =
      new AgentConfig.Mind("scripted", null, null, null, null, null);

  private final Map<String, Provider> byName;

  public Providers(List<Provider> providers) {
    this.byName = providers.stream().collect(Collectors.toMap(Provider::name, Function.identity()));
  }

  public Provider require(String name) {
    Provider provider = byName.get(name);
    if (provider == null) {
      throw new Fault(
          ErrorCode.UNKNOWN_PROVIDER,
          "there is no provider \"" + name + "\"",
          "there are: " + String.join(", ", new TreeSet<>(byName.keySet())));
    }
    return provider;
  }

  /// The configuration with its provider checked and completed.
  public AgentConfig prepare(AgentConfig config) {
    AgentConfig.Mind mind = config.provider() == null ? DEFAULT : config.provider();
    return new AgentConfig(
        config.name(),
        config.handle(),
        config.description(),
        config.systemPrompt(),
        config.role(),
        require(mind.name()).prepare(mind),
        config.toolsets(),
        config.limits(),
        config.parent());
  }
}
