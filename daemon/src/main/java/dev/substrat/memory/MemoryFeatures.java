package dev.substrat.memory;

import dev.substrat.memory.search.PassageSearch;
import dev.substrat.store.Database;
import dev.substrat.store.event.EventLog;
import java.time.InstantSource;

/// The memory features on one database: blocks, values, passages, brain entries and shared blocks.
public record MemoryFeatures(
    AgentBlocks blocks,
    BlockAdministration keptBlocks,
    SharedBlocks sharedBlocks,
    Passages passages,
    MemoryValues values,
    BrainEntries brain) {

  public static MemoryFeatures in(
      Database database, EventLog events, InstantSource clock, PassageSearch search) {
    return new MemoryFeatures(
        new AgentBlocks(database, events, clock),
        new BlockAdministration(database, events, clock),
        new SharedBlocks(database, events, clock),
        new Passages(database, events, clock, search),
        new MemoryValues(database, events, clock),
        new BrainEntries(database, events, clock));
  }
}
