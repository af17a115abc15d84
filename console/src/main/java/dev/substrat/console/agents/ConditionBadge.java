package dev.substrat.console.agents;

/// Current state of an agent. `tone` is the colour, `reason` the explanation, or empty.
public record ConditionBadge(String label, String tone, String reason) {
  public static ConditionBadge idle() {
    return new ConditionBadge("idle", "", "");
  }

  public static ConditionBadge busy() {
    return new ConditionBadge("busy", "busy", "A turn is running");
  }

  public static ConditionBadge waiting() {
    return new ConditionBadge("waiting", "wait", "Waits for a reply");
  }

  public static ConditionBadge gated() {
    return new ConditionBadge("paused", "wait", "Messages are queued, no turns start");
  }

  public static ConditionBadge stopped(String reason) {
    return new ConditionBadge("out of budget", "bad", reason);
  }

  public static ConditionBadge terminated() {
    return new ConditionBadge("terminated", "bad", "No turns, no messages, no tokens");
  }
}
