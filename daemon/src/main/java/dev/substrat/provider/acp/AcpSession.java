package dev.substrat.provider.acp;

import dev.substrat.provider.agentcli.CliSandbox;
import dev.substrat.provider.agentcli.CliTurnParameters;
import dev.substrat.team.ProviderConfig;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A running ACP program and its conversation. Belongs to one turn at a time.
final class AcpSession implements AutoCloseable {
  private final ProviderConfig settings;
  private final CliSandbox enclosure;
  private final CliTurnParameters assignment;
  private final AcpProcess process;
  private @Nullable String session;
  private boolean hasListedTools;
  private Instant restsSince = Instant.MAX;

  AcpSession(
      ProviderConfig settings,
      CliSandbox enclosure,
      CliTurnParameters assignment,
      AcpProcess process) {
    this.settings = settings;
    this.enclosure = enclosure;
    this.assignment = assignment;
    this.process = process;
  }

  /// Whether it still has the configured provider, directory and sandbox.
  boolean is(ProviderConfig wanted, CliSandbox place) {
    return settings.equals(wanted) && enclosure.isLike(place);
  }

  CliTurnParameters assignment() {
    return assignment;
  }

  AcpProcess process() {
    return process;
  }

  @Nullable String session() {
    return session;
  }

  void setSession(String id) {
    session = id;
  }

  /// A program that keeps running lists its tools once.
  void markToolsListed(boolean now) {
    hasListedTools |= now;
  }

  boolean hasListedTools() {
    return hasListedTools;
  }

  void markIdle(Instant since) {
    restsSince = since;
  }

  boolean isIdleSince(Instant limit) {
    return restsSince.isBefore(limit);
  }

  @Override
  public void close() {
    process.close();
  }
}
