package dev.substrat.teamtest;

import dev.substrat.testkit.TestPostgres;

/// The databases that team tests run on.
enum DatabaseKind {
  EMBEDDED,
  POSTGRES;

  /// On an empty database of this kind.
  TeamTestOptions fresh() {
    return switch (this) {
      case EMBEDDED -> TeamTest.with();
      case POSTGRES -> TeamTest.with().database(TestPostgres.freshDatabase());
    };
  }
}
