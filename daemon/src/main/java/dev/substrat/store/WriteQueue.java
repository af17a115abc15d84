package dev.substrat.store;

import dev.substrat.platform.log.Log;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Queue of transactions for the one writer, in the order in which they were submitted.
///
/// Transactions without a waiting caller are delayed briefly, so that they share a commit with
/// others.
///
/// Safe for many threads. Only the writer's thread takes from it.
final class WriteQueue {
  private static final Log LOG = Log.of(WriteQueue.class);

  /// Enough to share an fsync, small enough that the first caller of a batch hardly waits for the
  /// last.
  private static final int BATCH = 256;

  /// How often the writer yields to threads that are about to submit; more hardly enlarges a batch.
  private static final int COURTESIES = 2;

  /// Maximum of queued transactions without a waiting caller: a few milliseconds of work.
  private static final int MAX_QUEUED = 4 * BATCH;

  private final LinkedBlockingQueue<WriteJob<?>> jobs = new LinkedBlockingQueue<>();

  /// The last transaction without a waiting caller. Earlier ones are committed before it or with
  /// it.
  private final AtomicReference<WriteJob<?>> soon = new AtomicReference<>(WriteJob.done());

  private final Duration longestRest;
  private volatile boolean isClosed;

  /// A caller waits for a queued or delayed transaction.
  private volatile boolean isAwaited;

  /// The writer's thread while it waits.
  private volatile @Nullable Thread resting;

  private int last;

  WriteQueue(Duration longestRest) {
    this.longestRest = longestRest;
  }

  /// Queues a transaction whose caller waits.
  void add(WriteJob<?> job) {
    jobs.add(job);
    hurry();
    requireTaken(job);
  }

  /// Queues a transaction without a waiting caller; blocks if there are more than the disk can
  /// take.
  void addSoon(WriteJob<?> job) {
    synchronized (soon) {
      // Together, or an earlier one could be taken for the last.
      jobs.add(job);
      soon.set(job);
    }
    requireTaken(job);
    if (jobs.size() > MAX_QUEUED) {
      awaitEnd(job);
    }
  }

  private void requireTaken(WriteJob<?> job) {
    if (isClosed && jobs.remove(job)) {
      var refused = UninterruptibleWait.stopping(null);
      // Another thread may wait for it.
      job.fail(refused);
      throw refused;
    }
  }

  int size() {
    return jobs.size();
  }

  /// Until all that was handed in to be done soon is done.
  void catchUp() {
    awaitEnd(soon.get());
  }

  private void awaitEnd(WriteJob<?> job) {
    if (!job.isOver()) {
      hurry();
      job.awaitEnd();
    }
  }

  /// Ends the writer's delay, if any. Call it after queueing.
  private void hurry() {
    isAwaited = true;
    LockSupport.unpark(resting);
  }

  /// Waits for the next jobs and adds them to `batch`; false if the queue is closed and empty.
  boolean take(List<WriteJob<?>> batch) {
    if (isClosed && jobs.isEmpty()) {
      return false;
    }
    batch.add(next());
    rest();
    gather();
    // Reset before reading the queue: a later addition sets it again.
    isAwaited = false;
    jobs.drainTo(batch, BATCH - 1);
    if (!jobs.isEmpty()) {
      // A caller may wait for the jobs that did not fit.
      isAwaited = true;
    }
    last = batch.size();
    return true;
  }

  /// The thread is the writer's own: an interrupt has no meaning here.
  private WriteJob<?> next() {
    while (true) {
      try {
        return jobs.take();
      } catch (InterruptedException e) {
        LOG.debug("the writer was interrupted");
      }
    }
  }

  private void rest() {
    resting = Thread.currentThread();
    long end = System.nanoTime() + longestRest.toNanos();
    for (long left = longestRest.toNanos();
        left > 0 && !isAwaited && !isClosed;
        left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    resting = null;
  }

  /// Yields the processor until as many transactions have arrived as the last time: the larger a
  /// batch, the cheaper each commit. If no other thread wants to run this takes no time, and a
  /// single caller does not wait at all.
  @SuppressWarnings("ThreadPriorityCheck") // nothing depends on what the scheduler makes of it
  private void gather() {
    for (int i = 0; i < COURTESIES && jobs.size() + 1 < last; i++) {
      Thread.yield();
    }
  }

  /// Rejects new jobs; queued jobs are still processed.
  void close() {
    isClosed = true;
    // Wakes the writer if it waits for work; an empty transaction commits nothing.
    jobs.add(new WriteJob<>(_ -> true));
    hurry();
  }

  /// Also if the writer itself failed: no caller may wait forever.
  void abandon() {
    isClosed = true;
    jobs.forEach(job -> job.fail(UninterruptibleWait.stopping(null)));
  }
}
