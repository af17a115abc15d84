package dev.substrat.teamtest;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Options of a team test: slots, database, clock, chaos, limits.
public final class TeamTestOptions {
  int slots = 1;
  int turns = 1_000;
  Duration patience = Duration.ofSeconds(30);
  Instant start = Instant.parse("2026-01-01T12:00:00Z");
  @Nullable String database;
  @Nullable String chaos;

  TeamTestOptions() {}

  /// How many turns may run at the same time (default: 1, which makes a test deterministic).
  public TeamTestOptions slots(int slots) {
    this.slots = slots;
    return this;
  }

  /// A PostgreSQL database (`jdbc:postgresql://…`) instead of a temporary embedded one. It must be
  /// empty and not used by another daemon.
  public TeamTestOptions database(String url) {
    this.database = url;
    return this;
  }

  /// Chaos settings for every scripted agent that has none, as YAML: `{fail: 0.2, seed: 7}`.
  public TeamTestOptions chaos(String yaml) {
    this.chaos = yaml;
    return this;
  }

  /// How many turns a team may take to become idle before the test fails (default: 1,000).
  public TeamTestOptions turns(int most) {
    this.turns = most;
    return this;
  }

  /// How long, in real time, nothing may happen before the test fails (default: 30 seconds). Only
  /// programs outside the test's process can take that long.
  public TeamTestOptions patience(Duration time) {
    this.patience = time;
    return this;
  }

  /// The time at the start (default: noon on 1 January 2026, UTC).
  public TeamTestOptions at(Instant start) {
    this.start = start;
    return this;
  }

  public TeamTest start() {
    return TeamTest.start(this);
  }
}
