package dev.substrat.simulation;

/// A deliberate bug, put in from outside: in the statements on their way to the database, or in
/// what becomes of a commit. It shows that the laws can be broken and that it is noticed.
record Sabotage(String name, String statement, String spoiled, long droppedCommit) {
  static final Sabotage NONE = new Sabotage("nothing", "", "", -1);

  /// Puts `spoiled` in the place of `statement` wherever it occurs.
  static Sabotage of(String name, String statement, String spoiled) {
    return new Sabotage(name, statement, spoiled, -1);
  }

  static Sabotage dropping(String name, long every) {
    return new Sabotage(name, "", "", every);
  }

  String rewrite(String sql) {
    return statement.isEmpty() ? sql : sql.replace(statement, spoiled);
  }

  /// Whether the transaction after so many commits is acknowledged and not kept.
  boolean dropsCommit(long commits) {
    return droppedCommit > 0 && commits % droppedCommit == droppedCommit - 1;
  }
}
