package dev.substrat.provider;

import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.Fault;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentConfig;
import dev.substrat.team.ProviderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Runs the turns of agents: a script, a model API, an agent CLI.
public interface Provider {
  /// How configurations name it.
  String name();

  /// Checks an agent's settings when the agent is created, and gives them back complete, so that
  /// nothing but the database is needed later.
  ProviderConfig prepare(ProviderConfig settings);

  /// The same, for a provider that must know more about the agent.
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

  /// True if the agent configures a program or an address of its own.
  default boolean hasOwnEndpoint(ProviderConfig settings) {
    return false;
  }

  /// The models it knows by name; none if any name will do.
  default List<String> models() {
    return List.of();
  }

  /// Lets go of what it has not needed for a while; returns how much that was.
  default int closeIdle() {
    return 0;
  }

  /// Lets go of everything; the daemon ends.
  default void close() {}

  /// Thinks one turn through, calling tools on the way, and returns how it ended. Blocks; runs on a
  /// virtual thread of its own and is interrupted to cancel it.
  Outcome runTurn(ProviderTurn turn) throws InterruptedException;

  /// How a turn ended, as far as the provider knows.
  sealed interface Outcome {

    /// It came to an end; `text` is the last thing it said, and may be empty.
    record Finished(String text) implements Outcome {}

    /// It could not go on. The reason may be in words of others, and must be kept all the same.
    record Failed(String reason) implements Outcome {
      public Failed {
        reason = StorableText.sanitize(reason);
      }
    }

    /// It was not allowed to go on: a budget is used up, and what it was given waits; or the turn
    /// has reached a limit, and would reach it again.
    record Refused(Fault reason) implements Outcome {
      public String words() {
        return reason.code() + ": " + reason.message();
      }
    }

    /// The provider is overloaded or not available: nothing is wrong with the events, which are
    /// retried after `pause` at the earliest.
    record Postponed(Duration pause, String reason) implements Outcome {
      public Postponed {
        reason = StorableText.sanitize(reason);
      }
    }

    /// It could not go on, and trying again would lead to the same end.
    record Unrecoverable(String reason) implements Outcome {
      public Unrecoverable {
        reason = StorableText.sanitize(reason);
      }
    }

    /// It was interrupted because the daemon stops; nothing is wrong with what it was doing.
    record Stopped() implements Outcome {}
  }
}
