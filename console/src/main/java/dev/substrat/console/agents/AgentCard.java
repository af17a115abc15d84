package dev.substrat.console.agents;

import dev.substrat.console.Avatar;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Summary of an agent. `called` is its name, with the handle if the name is ambiguous. `mind` is
/// provider and model; `waiting` is the number of unread messages, `approvals` of open approvals.
public record AgentCard(
    String id,
    String handle,
    String name,
    String displayName,
    String description,
    String role,
    String provider,
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
