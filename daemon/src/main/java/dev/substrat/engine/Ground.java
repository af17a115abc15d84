package dev.substrat.engine;

import dev.substrat.config.SpaceGuards;
import dev.substrat.event.EventLog;
import dev.substrat.search.HybridSearch;
import dev.substrat.search.PassageSearch;
import dev.substrat.store.Database;
import dev.substrat.telemetry.Telemetry;
import dev.substrat.turn.Pace;
import java.time.InstantSource;

/// What an engine stands on; whoever made these parts closes them.
public record Ground(
    Database database,
    EventLog events,
    Telemetry telemetry,
    InstantSource clock,
    Pace pace,
    SpaceGuards guards,
    PassageSearch search) {

  /// With the guards that suit most, and passages that are found by their words only.
  public Ground(
      Database database, EventLog events, Telemetry telemetry, InstantSource clock, Pace pace) {
    this(
        database,
        events,
        telemetry,
        clock,
        pace,
        SpaceGuards.DEFAULT,
        HybridSearch.ofWords(database));
  }
}
