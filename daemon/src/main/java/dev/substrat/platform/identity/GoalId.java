package dev.substrat.platform.identity;

/// Id of a goal.
public record GoalId(String value) {

  public static GoalId random() {
    return new GoalId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
