package dev.substrat.simulation;

/// An invariant of the engine was violated.
final class InvariantViolation extends RuntimeException {
  private final String law;

  InvariantViolation(String law, String offence) {
    super(law + ": " + offence);
    this.law = law;
  }

  InvariantViolation(String law, String offence, Throwable cause) {
    super(law + ": " + offence, cause);
    this.law = law;
  }

  String law() {
    return law;
  }
}
