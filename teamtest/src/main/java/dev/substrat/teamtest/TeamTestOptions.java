package dev.substrat.teamtest;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What can be chosen about a team test; what is not chosen suits most.
public final class TeamTestOptions {
  int slots = 1;
  int turns = 1_000;
  Duration patience = Duration.ofSeconds(30);
  Instant start = Instant.parse("2026-01-01T12:00:00Z");
  @Nullable String database;
  @Nullable String chaos;

  TeamTestOptions() {}

  /// How many agents may think at the same time. One by default: then a test runs the same way
  /// every time.
  public TeamTestOptions slots(int slots) {
    this.slots = slots;
    return this;
  }

  /// The PostgreSQL at a `jdbc:postgresql://…` address, instead of an embedded database that is
  /// thrown away. It must be empty, and no other daemon's.
  public TeamTestOptions database(String url) {
    this.database = url;
    return this;
  }

  /// Chaos for every scripted agent that has none of its own, as YAML: `{fail: 0.2, seed: 7}`.
  public TeamTestOptions chaos(String yaml) {
    this.chaos = yaml;
    return this;
  }

  /// How many turns a team may take to come to rest before that counts as never.
  public TeamTestOptions turns(int most) {
    this.turns = most;
    return this;
  }

  /// How long, in real time, nothing may happen in a turn before it counts as stuck. Only minds
  /// outside of the test's process can take that long.
  public TeamTestOptions patience(Duration time) {
    this.patience = time;
    return this;
  }

  /// What time it is at the start.
  public TeamTestOptions at(Instant start) {
    this.start = start;
    return this;
  }

  public TeamTest start() {
    return TeamTest.start(this);
  }
}
