package dev.substrat.id;

import dev.substrat.protocol.Handle;

/// Who a request acts for. It comes from the credential, never from an argument.
public sealed interface Principal {
  String OPERATOR_NAME = Handle.OPERATOR;

  /// No agent's id looks like this.
  String ZOO_NAME = "zoo";

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

  /// Somebody who looks at agents and takes one along into a chat elsewhere, and can do nothing
  /// else.
  record Zoo() implements Principal {
    @Override
    public String key() {
      return ZOO_NAME;
    }
  }

  /// How it stands in the database: an agent's id, `operator` or `zoo`.
  String key();

  /// Whose credential it is that does not belong to a turn.
  static Principal parse(String key) {
    return switch (key) {
      case OPERATOR_NAME -> new Operator();
      case ZOO_NAME -> new Zoo();
      default -> new OfAgent(new AgentId(key));
    };
  }
}
