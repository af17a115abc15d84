package dev.substrat.simulation;

/// A law of the engine was broken.
final class Broken extends RuntimeException {
  private final String law;

  Broken(String law, String offence) {
    super(law + ": " + offence);
    this.law = law;
  }

  Broken(String law, String offence, Throwable cause) {
    super(law + ": " + offence, cause);
    this.law = law;
  }

  String law() {
    return law;
  }
}
