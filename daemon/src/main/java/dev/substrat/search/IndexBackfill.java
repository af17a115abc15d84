package dev.substrat.search;

import dev.substrat.fault.Fault;
import dev.substrat.log.Log;
import dev.substrat.search.PassageIndex.NotIndexed;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import java.util.List;

/// Indexes the passages that an earlier version has stored, in the background after an upgrade.
///
/// Each batch is one transaction, so a daemon that is killed continues where it stopped, and two
/// daemons on one PostgreSQL share the work. Until a passage is indexed, searches read it in full.
public final class IndexBackfill implements AutoCloseable {
  private static final Log LOG = Log.of(IndexBackfill.class);

  /// Few, because other writers wait for a batch on SQLite.
  private static final int BATCH = 50;

  private final Database database;
  private final Thread thread;
  private volatile boolean closing;

  private IndexBackfill(Database database) {
    this.database = database;
    this.thread = Thread.ofVirtual().name("index-backfill").unstarted(this::run);
  }

  public static IndexBackfill start(Database database) {
    var backfill = new IndexBackfill(database);
    backfill.thread.start();
    return backfill;
  }

  private void run() {
    long indexed = 0;
    try {
      int batch = 1;
      while (batch > 0 && !closing) {
        batch =
            database.read(IndexBackfill::isAnyLeft) ? database.transact(IndexBackfill::index) : 0;
        indexed += batch;
      }
    } catch (Fault e) {
      LOG.warn("passages are not indexed yet", "code", e.code(), "reason", e.message());
    } catch (RuntimeException e) {
      LOG.error("passages are not indexed yet", e);
    }
    if (indexed > 0) {
      LOG.info("passages indexed for search", "passages", indexed);
    }
  }

  private static boolean isAnyLeft(Tx tx) {
    return tx.find("select 1 from passage_text where text is null limit 1", _ -> true).isPresent();
  }

  private static int index(Tx tx) {
    List<NotIndexed> batch = PassageIndex.claimNotIndexed(tx, BATCH);
    for (NotIndexed passage : batch) {
      PassageIndex.put(tx, passage.agent(), passage.id(), passage.content(), passage.tags());
    }
    return batch.size();
  }

  /// Waits until all is indexed, or nothing more will be.
  void await() throws InterruptedException {
    thread.join();
  }

  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
