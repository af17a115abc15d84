package dev.substrat.prompt;

import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What an agent of certain toolsets has around it, a section for each: what changes least first.
final class Surroundings {
  private Surroundings() {}

  static List<String> of(Tx tx, Agent agent) {
    return Stream.<Optional<String>>of(MemorySection.of(tx, agent).text(agent))
        .flatMap(Optional::stream)
        .toList();
  }
}
