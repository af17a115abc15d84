package dev.substrat.team;

import dev.substrat.platform.identity.AgentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An agent: identity, parent, configuration, and whether its parent spawned it.
public record Agent(
    AgentId id,
    String handle,
    String name,
    String role,
    @Nullable AgentId parent,
    AgentConfig config,
    boolean spawned,
    Instant createdAt,
    @Nullable Instant terminatedAt) {

  /// The same agent, configured differently.
  public Agent with(AgentConfig other) {
    return new Agent(id, handle, name, role, parent, other, spawned, createdAt, terminatedAt);
  }

  /// Whether `other` is its name, handle or id.
  public boolean isCalled(String other) {
    return name.equalsIgnoreCase(other) || handle.equals(other) || id.value().equals(other);
  }

  public boolean isAlive() {
    return terminatedAt == null;
  }

  /// True for an external agent: the daemon starts no turns for it.
  public boolean isExternal() {
    ProviderConfig provider = config.provider();
    return provider != null && provider.name().equals(ProviderConfig.EXTERNAL);
  }
}
