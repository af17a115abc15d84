package dev.substrat.space;

import dev.substrat.id.AgentId;
import dev.substrat.id.Principal;
import dev.substrat.team.Agent;

/// Somebody who can be in a space and say something there, by the key of the principal: an agent's
/// id, `operator`, or `person/<name>`.
public record Member(String key) {
  public static final Member OPERATOR = new Member(Principal.OPERATOR_NAME);

  /// Who tells what nobody said. It is a member of nothing.
  static final Member SUBSTRAT = new Member("substrat");

  public static final String PERSON = "person/";

  public static Member of(Agent agent) {
    return new Member(agent.id().value());
  }

  public static Member of(Principal principal) {
    return new Member(principal.key());
  }

  public boolean isOperator() {
    return equals(OPERATOR);
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

  @Override
  public String toString() {
    return key;
  }
}
