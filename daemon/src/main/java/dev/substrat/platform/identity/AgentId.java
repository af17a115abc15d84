package dev.substrat.platform.identity;

/// Id of an agent.
public record AgentId(String value) {

  public static AgentId random() {
    return new AgentId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
