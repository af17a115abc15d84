package dev.substrat.space;

import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.team.Agent;

/// A possible member of a space, by the key of its principal: an agent's id, `operator`, or
/// `person/<name>`. A member that `administers` sees and manages all spaces.
public record SpaceMember(String key, boolean administers) {
  public static final SpaceMember OPERATOR = new SpaceMember(Principal.OPERATOR_NAME);

  /// The author of system messages. It is a member of no space.
  public static final SpaceMember SUBSTRAT = new SpaceMember("substrat");

  public static final String PERSON = "person/";

  /// A member without permissions of its own.
  public SpaceMember(String key) {
    this(key, key.equals(Principal.OPERATOR_NAME));
  }

  public static SpaceMember of(Agent agent) {
    return new SpaceMember(agent.id().value());
  }

  public static SpaceMember of(Principal principal) {
    return new SpaceMember(principal.key(), principal.isOperator());
  }

  public boolean isOperator() {
    return key.equals(Principal.OPERATOR_NAME);
  }

  public boolean isPerson() {
    return isOperator() || key.startsWith(PERSON);
  }

  public boolean isAgent() {
    return !isPerson() && !equals(SUBSTRAT);
  }

  AgentId agent() {
    return new AgentId(key);
  }

  /// Equal if the keys are equal, whatever the permissions are.
  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceMember member && key.equals(member.key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return key;
  }
}
