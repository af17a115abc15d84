package dev.substrat.provider.prompt;

import dev.substrat.memory.AgentBlocks;
import java.util.List;

/// The prompt of one turn. `system` is the same from turn to turn while agent, tools, team and
/// memory do not change, so a model can cache it; `turn` is what is new. `blocks` are the memory
/// blocks that it contains completely.
public record Prompt(String system, String turn, List<AgentBlocks.VisibleBlock> blocks) {

  /// A prompt without blocks.
  public Prompt(String system, String turn) {
    this(system, turn, List.of());
  }
}
