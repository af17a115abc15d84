package dev.substrat.id;

import dev.substrat.protocol.Handle;

/// Who a request acts for. It comes from the credential, never from an argument.
public sealed interface Principal {
  String OPERATOR_NAME = Handle.OPERATOR;

  /// The person who runs the daemon.
  record Operator() implements Principal {
    @Override
    public String key() {
      return OPERATOR_NAME;
    }
  }

  /// One agent, acting for itself only.
  record OfAgent(AgentId agent) implements Principal {
    @Override
    public String key() {
      return agent.value();
    }
  }

  /// One agent in one turn that the daemon runs: it has its tools, until the turn is over.
  record OfTurn(AgentId agent, RunId run) implements Principal {
    @Override
    public String key() {
      return agent.value();
    }
  }

  /// How it stands in the database: an agent's id, or `operator`.
  String key();

  /// Whose credential it is that does not belong to a turn.
  static Principal parse(String key) {
    return key.equals(OPERATOR_NAME) ? new Operator() : new OfAgent(new AgentId(key));
  }
}
