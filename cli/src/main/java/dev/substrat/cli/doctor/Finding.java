package dev.substrat.cli.doctor;

/// What one check found out.
record Finding(State state, String name, String detail, String hint) {

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

  static Finding ok(String name, String detail) {
    return new Finding(State.OK, name, detail, "");
  }

  static Finding warn(String name, String detail, String hint) {
    return new Finding(State.WARN, name, detail, hint);
  }

  static Finding broken(String name, String detail, String hint) {
    return new Finding(State.BROKEN, name, detail, hint);
  }
}
