package dev.substrat.provider;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SpellingSuggestion;
import dev.substrat.provider.Provider.Outcome;
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

/// Registry of the providers of this daemon.
public final class Providers {
  private static final Log LOG = Log.of(Providers.class);

  /// What an agent gets whose configuration names none.
  private static final ProviderConfig DEFAULT = ProviderConfig.named("scripted");

  /// What a step is refused with; from anywhere else in a provider it means the same.
  private static final Set<ErrorCode> REFUSALS =
      Set.of(ErrorCode.BUDGET_EXHAUSTED, ErrorCode.LIMIT_REACHED);

  private final Map<String, Provider> byName;

  public Providers(List<Provider> providers) {
    this.byName = providers.stream().collect(Collectors.toMap(Provider::name, Function.identity()));
  }

  /// All of them, by name.
  public List<Provider> all() {
    return byName.values().stream().sorted(Comparator.comparing(Provider::name)).toList();
  }

  /// Lets all of them go of what they have not needed for a while; returns how much that was.
  public int closeIdle() {
    return byName.values().stream().mapToInt(Provider::closeIdle).sum();
  }

  /// Ends what they have started and kept.
  public void close() {
    byName.values().forEach(Provider::close);
  }

  public Provider require(String name) {
    Provider provider = byName.get(name);
    if (provider == null) {
      throw new Fault(
          ErrorCode.UNKNOWN_PROVIDER,
          "unknown provider \"" + name + "\"",
          SpellingSuggestion.suggestion(name, byName.keySet())
              + "available providers: "
              + String.join(", ", new TreeSet<>(byName.keySet())));
    }
    return provider;
  }

  /// Lets an agent's own provider think its turn through. Whatever breaks on the way is a failed
  /// turn, never an exception that escapes.
  public Outcome runTurn(ProviderTurn turn) throws InterruptedException {
    ProviderConfig mind = turn.agent().config().provider();
    if (mind == null) {
      return new Outcome.Failed("the agent has no provider");
    }
    try {
      return require(mind.name()).runTurn(turn);
    } catch (StaleTurn | ReplayMismatch e) {
      throw e;
    } catch (RuntimeException e) {
      if (e instanceof Fault fault && REFUSALS.contains(fault.code())) {
        return new Outcome.Refused(fault);
      }
      LOG.warn("a provider failed unexpectedly", "agent", turn.agent().handle(), "reason", e);
      return new Outcome.Failed("the provider failed unexpectedly: " + e.getMessage());
    }
  }

  /// See [Provider#lacking].
  public Optional<String> findProblem(Agent agent) {
    ProviderConfig mind = agent.config().provider();
    return mind == null ? Optional.empty() : require(mind.name()).findProblem(agent);
  }

  /// The configuration with its provider checked and completed.
  public AgentConfig prepare(AgentConfig config) {
    ProviderConfig mind = config.provider() == null ? DEFAULT : config.provider();
    return config.withProvider(require(mind.name()).prepare(mind, config));
  }
}
