package dev.substrat.cli.doctor;

/// What one check found out.
record CheckResult(State state, String name, String detail, String hint) {

  /// Only what keeps Substrat from running at all is broken, and what somebody wanted to have
  /// proved and is not; what limits it is doubtful or missing; what many will never need is
  /// optional.
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
