package dev.substrat.platform.identity;

/// Which goal.
public record GoalId(String value) {

  public static GoalId random() {
    return new GoalId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
