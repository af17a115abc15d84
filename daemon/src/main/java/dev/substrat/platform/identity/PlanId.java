package dev.substrat.platform.identity;

/// Id of a plan.
public record PlanId(String value) {

  public static PlanId random() {
    return new PlanId(Uuid7.next());
  }

  @Override
  public String toString() {
    return value;
  }
}
