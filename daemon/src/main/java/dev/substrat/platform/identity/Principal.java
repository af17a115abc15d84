package dev.substrat.platform.identity;

import dev.substrat.protocol.Handle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The identity that a request acts for. It comes from the credential, never from an argument.
public sealed interface Principal {
  String OPERATOR_NAME = Handle.OPERATOR;

  /// An agent's id never has this value.
  String ZOO_NAME = "zoo";

  /// Prefix of a person's name; an agent's id contains no slash.
  String PERSON_PREFIX = "person/";

  /// The person who runs the daemon: an owner without a name.
  record OperatorPrincipal() implements Principal {
    @Override
    public String key() {
      return OPERATOR_NAME;
    }

    @Override
    public Role role() {
      return Role.OWNER;
    }
  }

  /// A person. Code that only needs the name may use the constructor without the role.
  record PersonPrincipal(String name, Role role) implements Principal {
    public PersonPrincipal(String name) {
      this(name, Role.MEMBER);
    }

    @Override
    public String key() {
      return PERSON_PREFIX + name;
    }
  }

  /// An agent outside a turn.
  record AgentPrincipal(AgentId agent) implements Principal {
    @Override
    public String key() {
      return agent.value();
    }
  }

  /// An agent in one turn that the daemon runs: it has access to its tools until the turn ends.
  record TurnPrincipal(AgentId agent, RunId run) implements Principal {
    @Override
    public String key() {
      return agent.value();
    }
  }

  /// A zoo client: lists agents and loads one into an external chat, and can do nothing else. The
  /// default agent is that of its workspace; `agents` are the visible ones, null for all.
  record ZooPrincipal(@Nullable AgentId defaultAgent, @Nullable List<AgentId> agents)
      implements Principal {
    public ZooPrincipal() {
      this(null, null);
    }

    @Override
    public String key() {
      return ZOO_NAME;
    }
  }

  /// Key in the database: an agent's id, `operator`, `person/<name>` or `zoo`.
  String key();

  /// Role of a human; null for agents and zoo clients.
  default @Nullable Role role() {
    return null;
  }

  /// Whether this is a human with access to everything that agents do.
  default boolean isOperator() {
    return role() == Role.OWNER || role() == Role.OPERATOR;
  }

  /// Principal of a credential that does not belong to a turn.
  static Principal parse(String key) {
    return switch (key) {
      case OPERATOR_NAME -> new OperatorPrincipal();
      case ZOO_NAME -> new ZooPrincipal();
      default ->
          key.startsWith(PERSON_PREFIX)
              ? new PersonPrincipal(key.substring(PERSON_PREFIX.length()))
              : new AgentPrincipal(new AgentId(key));
    };
  }
}
