package dev.substrat.provider.prompt;

import dev.substrat.memory.AgentBlocks;
import java.util.List;

/// What a mind is given for one turn. `system` stays the same from turn to turn while nothing about
/// the agent, its tools, its team or its memory changes, so that a model can keep it; `turn` is
/// what is new. `blocks` are those that it shows whole.
public record Prompt(String system, String turn, List<AgentBlocks.VisibleBlock> blocks) {

  /// One that shows no blocks.
  public Prompt(String system, String turn) {
    this(system, turn, List.of());
  }
}
