package dev.substrat.console.agents;

/// How an agent is right now. `tone` is the colour, `reason` why it is so, or empty.
public record Condition(String label, String tone, String reason) {
  public static Condition idle() {
    return new Condition("idle", "", "");
  }

  public static Condition busy() {
    return new Condition("busy", "busy", "A turn is under way");
  }

  public static Condition waiting() {
    return new Condition("waiting", "wait", "It has asked somebody and waits for the answer");
  }

  public static Condition gated() {
    return new Condition("paused", "wait", "Somebody has gated it: mail waits, no turns start");
  }

  public static Condition stopped(String reason) {
    return new Condition("out of budget", "bad", reason);
  }

  public static Condition terminated() {
    return new Condition("terminated", "bad", "It has ended");
  }
}
