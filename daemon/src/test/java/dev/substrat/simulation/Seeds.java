package dev.substrat.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/// Plays many seeds, as many at a time as there are cores. Histories know nothing of each other.
final class Seeds {
  private static final int MANY = 10_000;
  private static final int SOME = 300;

  private Seeds() {}

  /// `-Dsubstrat.seed=N` replays one; `-Dsubstrat.full=true` plays them all.
  static long[] chosen() {
    Long one = Long.getLong("substrat.seed");
    return one == null
        ? LongStream.rangeClosed(1, Boolean.getBoolean("substrat.full") ? MANY : SOME).toArray()
        : new long[] {one};
  }

  /// The first of them that breaks a law, such as to come to rest in so many steps; later ones are
  /// not played to their end.
  static Optional<History> firstBroken(long[] seeds, Sabotage sabotage, int steps) {
    var enough = new AtomicBoolean();
    var played = new ArrayList<Future<Optional<History>>>();
    int cores = Runtime.getRuntime().availableProcessors();
    try (var threads = Executors.newFixedThreadPool(cores, Thread.ofVirtual().factory())) {
      for (long seed : seeds) {
        played.add(
            threads.submit(() -> {
              if (enough.get()) {
                return Optional.empty();
              }
              History history = History.of(Plans.of(seed), sabotage, steps);
              enough.compareAndSet(false, history.law().isPresent());
              return Optional.of(history).filter(one -> one.law().isPresent());
            }));
      }
      return first(played);
    }
  }

  private static Optional<History> first(List<Future<Optional<History>>> played) {
    Optional<History> first = Optional.empty();
    for (var one : played) {
      try {
        Optional<History> history = one.get();
        first = first.or(() -> history);
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
    return first;
  }
}
