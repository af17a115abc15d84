package dev.substrat.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/// Runs many seeds, as many at a time as there are cores. Histories are independent of each other.
final class SeedRunner {
  private static final int MANY = 10_000;
  private static final int SOME = 300;

  private SeedRunner() {}

  /// `-Dsubstrat.seed=N` replays one; `-Dsubstrat.full=true` plays them all.
  static long[] chosen() {
    Long one = Long.getLong("substrat.seed");
    return one == null
        ? LongStream.rangeClosed(1, Boolean.getBoolean("substrat.full") ? MANY : SOME).toArray()
        : new long[] {one};
  }

  /// The first seed that violates an invariant, such as to become idle within so many steps; later
  /// ones are not run to their end.
  static Optional<SimulationResult> firstBroken(long[] seeds, InjectedBug sabotage, int steps) {
    var enough = new AtomicBoolean();
    var played = new ArrayList<Future<Optional<SimulationResult>>>();
    int cores = Runtime.getRuntime().availableProcessors();
    try (var threads = Executors.newFixedThreadPool(cores, Thread.ofVirtual().factory())) {
      for (long seed : seeds) {
        played.add(
            threads.submit(() -> {
              if (enough.get()) {
                return Optional.empty();
              }
              SimulationResult history =
                  SimulationResult.of(PlanGenerator.of(seed), sabotage, steps);
              enough.compareAndSet(false, history.law().isPresent());
              return Optional.of(history).filter(one -> one.law().isPresent());
            }));
      }
      return first(played);
    }
  }

  private static Optional<SimulationResult> first(List<Future<Optional<SimulationResult>>> played) {
    Optional<SimulationResult> first = Optional.empty();
    for (var one : played) {
      try {
        Optional<SimulationResult> history = one.get();
        first = first.or(() -> history);
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return first;
  }
}
