package dev.substrat.simulation;

/// A deliberate bug, injected from outside: into statements on their way to the database, or into
/// the result of a commit. It shows that the invariants detect it.
record InjectedBug(String name, String statement, String spoiled, long droppedCommit) {
  static final InjectedBug NONE = new InjectedBug("nothing", "", "", -1);

  /// Puts `spoiled` in the place of `statement` wherever it occurs.
  static InjectedBug of(String name, String statement, String spoiled) {
    return new InjectedBug(name, statement, spoiled, -1);
  }

  static InjectedBug dropping(String name, long every) {
    return new InjectedBug(name, "", "", every);
  }

  String rewrite(String sql) {
    return statement.isEmpty() ? sql : sql.replace(statement, spoiled);
  }

  /// Whether the transaction after so many commits is acknowledged and not kept.
  boolean dropsCommit(long commits) {
    return droppedCommit > 0 && commits % droppedCommit == droppedCommit - 1;
  }
}
