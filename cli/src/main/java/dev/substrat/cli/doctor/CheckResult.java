package dev.substrat.cli.doctor;

/// Result of one check.
record CheckResult(State state, String name, String detail, String hint) {

  /// `BROKEN`: Substrat cannot run, or a requested round trip failed. `WARN` and `MISSING`: some
  /// features do not work. `OPTIONAL`: not needed by most users.
  enum State {
    OK,
    WARN,
    MISSING,
    BROKEN,
    OPTIONAL
  }

  static CheckResult ok(String name, String detail) {
    return new CheckResult(State.OK, name, detail, "");
  }

  static CheckResult warn(String name, String detail, String hint) {
    return new CheckResult(State.WARN, name, detail, hint);
  }

  static CheckResult broken(String name, String detail, String hint) {
    return new CheckResult(State.BROKEN, name, detail, hint);
  }
}
