package dev.substrat.provider;

import dev.substrat.team.AgentConfig;

/// Agents whose mind is elsewhere: an IDE's chat, somebody's script. The daemon starts no turns for
/// them; they come with their token, act through their tools and read their mail themselves.
public final class ExternalProvider implements Provider {
  private static final String NAME = AgentConfig.Mind.EXTERNAL;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public AgentConfig.Mind prepare(AgentConfig.Mind settings) {
    return settings;
  }

  @Override
  public Outcome think(TurnView turn) {
    return new Outcome.Failed("the daemon starts no turns for an external agent");
  }
}
