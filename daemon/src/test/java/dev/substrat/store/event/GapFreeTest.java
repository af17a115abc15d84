package dev.substrat.store.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.store.Database;
import dev.substrat.store.Dialect;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Several daemons write at once, their transactions overlap and commit in any order; a reader that
/// waits for the signal sees 1, 2, 3 and so on, and never an effect before its cause.
@OnEveryDatabase
final class GapFreeTest {
  private static final boolean FULL = Boolean.getBoolean("substrat.full");
  private static final int WRITERS = 6;
  private static final int EVENTS = FULL ? 400 : 60;
  private static final int CHAIN = FULL ? 1_000 : 150;
  private static final Duration LIMIT = Duration.ofSeconds(FULL ? 600 : 90);

  private final List<Daemon> daemons = new ArrayList<>();
  private final EventSignal commits = new EventSignal();
  private final boolean overlaps;

  GapFreeTest(TestDatabase place) {
    this.overlaps = place.dialect() == Dialect.POSTGRES;
    for (int i = 0; i < (overlaps ? 3 : 1); i++) {
      Database database = place.open();
      daemons.add(new Daemon(database, new EventLog(database, InstantSource.system())));
    }
  }

  private record Daemon(Database database, EventLog log) {
    void append(NewEvent event, Runnable beforeCommit) {
      database.transact(tx -> {
        log.append(tx, event);
        beforeCommit.run();
        return true;
      });
    }
  }

  @Test
  void every_reader_sees_every_event_once_and_in_order() throws Exception {
    int total = daemons.size() * WRITERS * EVENTS + CHAIN;
    var readers = new ArrayList<Future<List<Event>>>();
    var writers = new ArrayList<Future<Boolean>>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Daemon daemon : daemons) {
        readers.add(threads.submit(() -> Tailer.read(daemon.log(), total, LIMIT)));
        for (int writer = 0; writer < WRITERS; writer++) {
          writers.add(threads.submit(writer(daemon, writer)));
        }
      }
      writers.add(threads.submit(this::chain));
      for (var writer : writers) {
        assertThat(writer.get()).isTrue();
      }
      List<Event> first = readers.getFirst().get();
      assertThat(first).extracting(Event::seq).containsExactlyElementsOf(oneTo(total));
      for (var reader : readers) {
        assertThat(reader.get()).isEqualTo(first);
      }
      requireCauseBeforeEffect(first);
    }
    daemons.forEach(daemon -> daemon.log().close());
  }

  private Callable<Boolean> writer(Daemon daemon, int writer) {
    return () -> {
      for (int i = 0; i < EVENTS; i++) {
        daemon.append(
            NewEvent.of("noise").about("writer-" + writer).with("number", i), this::letOthersFirst);
        commits.notifyWaiters();
      }
      return true;
    };
  }

  /// Each link is written, by the next daemon, after the one before it has been committed.
  private boolean chain() {
    for (int link = 0; link < CHAIN; link++) {
      daemons.get(link % daemons.size()).append(NewEvent.of("link").with("number", link), () -> {});
      commits.notifyWaiters();
    }
    return true;
  }

  /// Keeps the transaction open until a few that started later have committed.
  private void letOthersFirst() {
    if (overlaps) {
      int others = ThreadLocalRandom.current().nextInt(4);
      try {
        commits.awaitMoreThan(commits.count() + others - 1, Duration.ofMillis(20));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void requireCauseBeforeEffect(List<Event> events) {
    assertThat(events)
        .filteredOn(event -> event.kind().equals("link"))
        .extracting(event -> event.payload().path("number").asLong())
        .containsExactlyElementsOf(LongStream.range(0, CHAIN).boxed().toList());
  }

  private static List<Long> oneTo(int last) {
    return LongStream.rangeClosed(1, last).boxed().toList();
  }
}
