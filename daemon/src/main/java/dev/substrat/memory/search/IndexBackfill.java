package dev.substrat.memory.search;

import dev.substrat.memory.search.PassageIndex.UnindexedPassage;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Indexes the passages that an earlier version has stored, in the background after an upgrade.
///
/// Each batch is one transaction, so a daemon that is killed continues where it stopped, and two
/// daemons on one PostgreSQL share the work. Until a passage is indexed, searches read it in full.
///
/// If a batch fails, its passages are indexed one by one. One that fails while others succeed is
/// set aside. If all fail, the database is probably unavailable. Both are tried again after a
/// pause, which grows.
public final class IndexBackfill implements AutoCloseable {
  private static final Log LOG = Log.of(IndexBackfill.class);

  /// Few, because other writers wait for a batch on SQLite.
  private static final int BATCH = 50;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration MAX_PAUSE = Duration.ofMinutes(10);

  private final Database database;
  private final Duration firstPause;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);

  /// Used by the thread alone, like the following fields.
  private final Set<Long> setAside = new HashSet<>();

  /// Passages whose failure is in the log.
  private final Set<Long> logged = new HashSet<>();

  private long indexed;
  private final AtomicLong failures = new AtomicLong();

  private IndexBackfill(Database database, Duration firstPause) {
    this.database = database;
    this.firstPause = firstPause;
    this.thread = Thread.ofVirtual().name("index-backfill").unstarted(this::run);
  }

  public static IndexBackfill start(Database database) {
    return start(database, FIRST_PAUSE);
  }

  static IndexBackfill start(Database database, Duration firstPause) {
    var backfill = new IndexBackfill(database, firstPause);
    backfill.thread.start();
    return backfill;
  }

  private void run() {
    Duration pause = firstPause;
    long before = -1;
    while (!isClosing() && !indexAll()) {
      pause = indexed > before ? firstPause : longer(pause);
      before = indexed;
      failures.incrementAndGet();
      setAside.clear();
      try {
        if (closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          break;
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    if (indexed > 0) {
      LOG.info("passages indexed for search", "passages", indexed);
    }
  }

  private static Duration longer(Duration pause) {
    Duration twice = pause.multipliedBy(2);
    return twice.compareTo(MAX_PAUSE) > 0 ? MAX_PAUSE : twice;
  }

  /// False if something must be retried.
  private boolean indexAll() {
    try {
      int batch = 1;
      while (batch > 0 && !isClosing()) {
        batch = database.read(this::isAnyLeft) ? indexBatch() : 0;
      }
      return setAside.isEmpty();
    } catch (Fault e) {
      LOG.warn("cannot index passages, will retry", "code", e.code(), "reason", e.message());
    } catch (RuntimeException e) {
      LOG.error("cannot index passages, will retry", e);
    }
    return false;
  }

  private boolean isAnyLeft(Tx tx) {
    String unfinished = "select 1 from passage_text where text is null limit ?";
    return tx.list(unfinished, _ -> true, setAside.size() + 1).size() > setAside.size();
  }

  private int indexBatch() {
    try {
      int batch =
          database.transact(tx -> {
            List<UnindexedPassage> claimed = claim(tx);
            claimed.forEach(passage -> put(tx, passage));
            return claimed.size();
          });
      indexed += batch;
      return batch;
    } catch (RuntimeException e) {
      return indexOneByOne(e);
    }
  }

  /// Sets aside passages that fail; throws `cause` if all fail.
  private int indexOneByOne(RuntimeException cause) {
    List<Long> batch =
        database.transact(tx -> claim(tx).stream().map(UnindexedPassage::seq).toList());
    var failed = new LinkedHashMap<Long, RuntimeException>();
    for (long seq : batch) {
      try {
        indexed += database.transact(tx -> indexOne(tx, seq));
      } catch (RuntimeException e) {
        // If the database is not available, the others need not be tried.
        database.read(this::isAnyLeft);
        failed.put(seq, e);
      }
    }
    if (failed.size() > 1 && failed.size() == batch.size()) {
      throw cause;
    }
    setAside.addAll(failed.keySet());
    failed.forEach(this::logOnce);
    return batch.size();
  }

  private void logOnce(long seq, RuntimeException why) {
    if (logged.add(seq)) {
      LOG.warn("cannot index a passage, will retry", "seq", seq, "reason", why.getMessage());
    }
  }

  private static int indexOne(Tx tx, long seq) {
    List<UnindexedPassage> passage = PassageIndex.claimNotIndexed(tx, seq);
    passage.forEach(one -> put(tx, one));
    return passage.size();
  }

  private List<UnindexedPassage> claim(Tx tx) {
    return PassageIndex.claimNotIndexed(tx, BATCH + setAside.size()).stream()
        .filter(passage -> !setAside.contains(passage.seq()))
        .limit(BATCH)
        .toList();
  }

  private static void put(Tx tx, UnindexedPassage passage) {
    PassageIndex.put(tx, passage.agent(), passage.id(), passage.content(), passage.tags());
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /// Number of retries.
  long failures() {
    return failures.get();
  }

  /// Waits until all passages are indexed.
  void await() throws InterruptedException {
    thread.join();
  }

  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
