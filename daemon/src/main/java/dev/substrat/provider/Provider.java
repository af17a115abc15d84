package dev.substrat.provider;

import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs the turns of agents: a script, a model API or an agent CLI.
public interface Provider {
  /// Name in configurations.
  String name();

  /// Validates the settings when an agent is created, and returns them complete: later turns read
  /// them from the database only.
  ProviderConfig prepare(ProviderConfig settings);

  /// The same, for a provider that depends on other parts of the configuration.
  default ProviderConfig prepare(ProviderConfig settings, AgentConfig agent) {
    return prepare(settings);
  }

  /// Capabilities of the provider.
  default ProviderCapabilities capabilities() {
    return ProviderCapabilities.OWN;
  }

  /// Whether the provider is available on this machine.
  default ProviderProbe probe() {
    return ProviderProbe.ready(null, "built in");
  }

  /// True if the agent has neither an API key nor a login. False if that cannot be known.
  default boolean lacksLogin(Agent agent) {
    return false;
  }

  /// Why an agent's turns would fail, and what to do, as far as that is known without a request;
  /// empty if no problem is known.
  default Optional<String> findProblem(Agent agent) {
    return Optional.empty();
  }

  /// True if the agent configures its own program or base URL.
  default boolean hasOwnEndpoint(ProviderConfig settings) {
    return false;
  }

  /// Names of supported models; empty if any name is accepted.
  default List<String> models() {
    return List.of();
  }

  /// Closes resources that were idle for a while; returns how many.
  default int closeIdle() {
    return 0;
  }

  /// Closes all resources when the daemon stops.
  default void close() {}

  /// Runs one turn, with its tool calls, and returns its outcome. Blocks on a virtual thread of its
  /// own, which is interrupted to cancel the turn.
  TurnOutcome runTurn(ProviderTurn turn) throws InterruptedException;

  /// Outcome of a turn, as far as the provider knows.
  sealed interface TurnOutcome {

    /// The turn ended normally; `text` is its final text, which may be empty.
    record TurnFinished(String text) implements TurnOutcome {}

    /// The turn failed. The reason may contain text of other programs, so it is made storable.
    record TurnFailed(String reason) implements TurnOutcome {
      public TurnFailed {
        reason = StorableText.sanitize(reason);
      }
    }

    /// A budget is exhausted and the events stay in the inbox, or the turn has reached a limit that
    /// it would reach again.
    record LimitReached(Fault reason) implements TurnOutcome {
      public String words() {
        return reason.code() + ": " + reason.message();
      }
    }

    /// The provider is overloaded or not available: nothing is wrong with the events, which are
    /// retried after `pause` at the earliest.
    record TurnPostponed(Duration pause, String reason) implements TurnOutcome {
      public TurnPostponed {
        reason = StorableText.sanitize(reason);
      }
    }

    /// The turn failed, and a retry would fail in the same way.
    record UnrecoverableFailure(String reason) implements TurnOutcome {
      public UnrecoverableFailure {
        reason = StorableText.sanitize(reason);
      }
    }

    /// The turn was interrupted because the daemon stops; it is not a failure.
    record TurnInterrupted() implements TurnOutcome {}
  }
}
