package dev.substrat.provider;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.team.ProviderConfig;

/// Provider of external agents: a chat in an IDE, a script. The daemon starts no turns for them;
/// they connect with their token, call their tools and read their inbox themselves.
public final class ExternalProvider implements Provider {
  private static final String NAME = ProviderConfig.EXTERNAL;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public ProviderConfig prepare(ProviderConfig settings) {
    if (settings.command() != null || settings.directory() != null) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "an external agent has no command: the daemon starts no program for it",
          "omit the key, or write provider: { name: scripted, command: [...] }");
    }
    return settings;
  }

  @Override
  public TurnOutcome runTurn(ProviderTurn turn) {
    return new TurnOutcome.TurnFailed("the daemon starts no turns for an external agent");
  }
}
