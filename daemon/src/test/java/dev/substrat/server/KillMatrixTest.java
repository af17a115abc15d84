package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Delivery guarantees when a daemon is killed at any transaction: acknowledged work is kept,
/// nothing is done twice, no agent is stuck, and every question gets an answer or a notice.
@OnEveryDatabase
final class KillMatrixTest {
  private static final int KILLS =
      Integer.getInteger("substrat.kills", Boolean.getBoolean("substrat.full") ? 1_000 : 20);

  /// How long one team is tormented before the next gets its turn.
  private static final int KILLS_PER_TEAM = 50;

  /// Number of kills at steps before one at a random time.
  private static final int STEPS_PER_RANDOM = 4;

  /// Changes every day, so that every step gets its turn in the small size too.
  private final long seed =
      Long.getLong("substrat.seed", LocalDate.now(ZoneOffset.UTC).toEpochDay());

  private final TestDatabase place;

  @TempDir private Path cache;

  KillMatrixTest(TestDatabase place) {
    this.place = place;
  }

  @Test
  @Requirement({"N1", "S0-7", "S0-12", "S0-14"})
  void no_acknowledged_work_is_lost_or_repeated_wherever_the_daemon_dies() throws Exception {
    var jvm = new JvmClassCache(cache);
    List<KillPoint> deaths = List.of();
    var missed = new ArrayList<KillPoint>();
    int kills = 0;
    for (int team = 0; kills < KILLS; team++) {
      try (var campaign = new KillCampaign(TestDatabase.fresh(place.dialect()), jvm, seed + team)) {
        Map<String, Integer> steps = campaign.rehearse();
        if (deaths.isEmpty()) {
          deaths = deaths(steps, new Random(seed));
        }
        int last = Math.min(KILLS, kills + KILLS_PER_TEAM);
        for (; kills < last; kills++) {
          Optional<KillPoint> death = next(deaths, kills);
          if (!campaign.kill(death)) {
            missed.add(death.orElseThrow());
          }
        }
        campaign.finish();
      }
    }
    System.out.printf(
        "%s: %d kills at %d steps, seed %d; from outside, because not reached: %s%n",
        place, kills, deaths.size() / KillPoint.Place.values().length, seed, missed);
    assertThat(missed).hasSizeLessThan(kills / 2);
  }

  private static Optional<KillPoint> next(List<KillPoint> deaths, int kill) {
    int cycle = STEPS_PER_RANDOM + 1;
    int atStep = kill - kill / cycle;
    return kill % cycle == STEPS_PER_RANDOM
        ? Optional.empty()
        : Optional.of(deaths.get(atStep % deaths.size()));
  }

  /// Every step at every place: all steps once before any is repeated.
  private static List<KillPoint> deaths(Map<String, Integer> steps, Random random) {
    var shuffled = new ArrayList<>(steps.entrySet());
    Collections.shuffle(shuffled, random);
    var places = KillPoint.Place.values();
    var deaths = new ArrayList<KillPoint>();
    for (int round = 0; round < places.length; round++) {
      int place = round;
      for (var step : shuffled) {
        // A step that the complete run reached only a few times is reached at most once in a short
        // run.
        int time = 1 + random.nextInt(Math.clamp(step.getValue() / 4, 1, 3));
        deaths.add(new KillPoint(step.getKey(), places[place++ % places.length], time));
      }
    }
    return deaths;
  }
}
