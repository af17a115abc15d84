package dev.substrat.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.testkit.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Random teams, messages, crashes and time jumps, reproducible by a seed: every history becomes
/// idle and violates no invariant. A violation is reported as a short event log.
final class SimulationTest {
  private static final QuietLog LOG = new QuietLog();

  @BeforeAll
  static void quiet() {
    LOG.silence();
  }

  @AfterAll
  static void loud() {
    LOG.restore();
  }

  @Test
  @Requirement({"N1", "N2", "S0-8", "S0-12", "S0-13", "S0-14", "S1-8", "S1-11"})
  void every_history_becomes_idle_and_violates_no_invariant() {
    Optional<SimulationResult> failed =
        SeedRunner.firstBroken(SeedRunner.chosen(), InjectedBug.NONE, Simulation.MOST_STEPS);

    failed.ifPresent(history -> {
      String report = ViolationReport.of(history, PlanShrinker.shrink(history, InjectedBug.NONE));
      throw new AssertionError(report, history.broken());
    });
  }

  @Test
  void the_same_seed_gives_the_same_history() {
    for (long seed : List.of(3L, 17L, 58L, 101L, 256L)) {
      SimulationPlan plan = PlanGenerator.of(seed);

      List<String> first = SimulationResult.detailed(plan).story();

      assertThat(first).as("seed %d", seed).hasSizeGreaterThan(20);
      assertThat(SimulationResult.detailed(PlanGenerator.of(seed)).story())
          .as("seed %d", seed)
          .isEqualTo(first);
      assertThat(SimulationResult.detailed(plan.ordered(seed + 1)).story()).isNotEqualTo(first);
    }
  }

  /// A simulation in which little happens would prove little.
  @Test
  void the_histories_cover_every_situation() {
    var missing =
        CoveredSituation.ALL.stream().map(CoveredSituation::name).collect(Collectors.toSet());
    for (long seed = 1; seed <= 300 && !missing.isEmpty(); seed++) {
      missing.removeAll(SimulationResult.corners(PlanGenerator.of(seed)));
    }

    assertThat(missing).isEmpty();
  }
}
