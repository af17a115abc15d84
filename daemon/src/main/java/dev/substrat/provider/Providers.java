package dev.substrat.provider;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import dev.substrat.tool.StaleTurn;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Registry of the providers of this daemon. `turn.engine.AgentEndpoints` creates them.
public final class Providers {
  private static final Log LOG = Log.of(Providers.class);

  /// Default of an agent whose configuration has no provider.
  private static final ProviderConfig DEFAULT = ProviderConfig.named("scripted");

  /// Error codes of refused steps.
  private static final Set<ErrorCode> REFUSALS =
      Set.of(ErrorCode.BUDGET_EXHAUSTED, ErrorCode.LIMIT_REACHED);

  private final Map<String, Provider> byName;

  public Providers(List<Provider> providers) {
    this.byName = providers.stream().collect(Collectors.toMap(Provider::name, Function.identity()));
  }

  /// All providers, by name.
  public List<Provider> all() {
    return byName.values().stream().sorted(Comparator.comparing(Provider::name)).toList();
  }

  /// Closes idle resources of all providers; returns how many.
  public int closeIdle() {
    return byName.values().stream().mapToInt(Provider::closeIdle).sum();
  }

  /// Closes all providers.
  public void close() {
    byName.values().forEach(Provider::close);
  }

  public Provider require(String name) {
    Provider provider = byName.get(name);
    if (provider == null) {
      throw ErrorCode.UNKNOWN_PROVIDER.fault(
          "unknown provider \"" + name + "\"",
          SpellingSuggestion.suggestion(name, byName.keySet())
              + "available providers: "
              + String.join(", ", new TreeSet<>(byName.keySet())));
    }
    return provider;
  }

  /// Runs a turn with the agent's provider. Every exception becomes a failed turn.
  public TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig settings = turn.agent().config().provider();
    if (settings == null) {
      return new TurnOutcome.TurnFailed("the agent has no provider");
    }
    try {
      return require(settings.name()).runTurn(turn);
    } catch (StaleTurn | ReplayMismatch e) {
      throw e;
    } catch (RuntimeException e) {
      if (e instanceof Fault fault && REFUSALS.contains(fault.code())) {
        return new TurnOutcome.LimitReached(fault);
      }
      LOG.warn("a provider failed unexpectedly", "agent", turn.agent().handle(), "reason", e);
      return new TurnOutcome.TurnFailed("the provider failed unexpectedly: " + e.getMessage());
    }
  }

  /// See [Provider#findProblem].
  public Optional<String> findProblem(Agent agent) {
    ProviderConfig settings = agent.config().provider();
    return settings == null ? Optional.empty() : require(settings.name()).findProblem(agent);
  }

  /// The configuration with its provider checked and completed.
  public AgentConfig prepare(AgentConfig config) {
    ProviderConfig settings = config.provider() == null ? DEFAULT : config.provider();
    return config.withProvider(require(settings.name()).prepare(settings, config));
  }
}
