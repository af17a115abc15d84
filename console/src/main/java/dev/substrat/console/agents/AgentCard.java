package dev.substrat.console.agents;

import dev.substrat.console.Avatar;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// An agent among others. `called` is its name, with its handle where the name alone may mean
/// another. `mind` is what thinks for it, provider and model; `waiting` is how much mail it has not
/// read, `approvals` how many of its calls wait for somebody.
public record AgentCard(
    String id,
    String handle,
    String name,
    String called,
    String description,
    String role,
    String mind,
    ConditionBadge condition,
    @Nullable Instant lastActive,
    long waiting,
    long approvals) {

  public String path() {
    return "/agents/" + handle;
  }

  public Avatar avatar() {
    return Avatar.of(id, name);
  }
}
