package dev.substrat.cli.doctor;

/// Result of one check.
record CheckResult(CheckState state, String name, String detail, String hint) {

  /// `BROKEN`: Substrat cannot run, or a requested round trip failed. `WARN` and `MISSING`: some
  /// features do not work. `OPTIONAL`: not needed by most users.
  enum CheckState {
    OK,
    WARN,
    MISSING,
    BROKEN,
    OPTIONAL
  }

  static CheckResult ok(String name, String detail) {
    return new CheckResult(CheckState.OK, name, detail, "");
  }

  static CheckResult warn(String name, String detail, String hint) {
    return new CheckResult(CheckState.WARN, name, detail, hint);
  }

  static CheckResult broken(String name, String detail, String hint) {
    return new CheckResult(CheckState.BROKEN, name, detail, hint);
  }
}
