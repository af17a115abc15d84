package dev.substrat.server.health;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Tells whether the daemon can work: its database answers, fits and is sound, its disk has room,
/// and it is not stopping.
///
/// A background thread checks once a second. A request gets the last result, so it neither waits
/// for the database nor costs it anything. A check that takes longer than two seconds counts as
/// failed.
///
/// Safe for many threads.
public final class ReadinessCheck implements AutoCloseable {
  private static final Log LOG = Log.of(ReadinessCheck.class);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Duration MAX_CHECK_TIME = Duration.ofSeconds(2);

  /// Less is used up by a few large messages. [NotReadyReason#DISK_LOW] says how much it is.
  private static final long MIN_FREE_BYTES = 50L << 20;

  private final Database database;
  private final Path data;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread thread;
  private volatile boolean isStopping;
  private volatile CheckRun last;

  /// A check: when it began, and the reasons that the last finished one found.
  private record CheckRun(long began, boolean isRunning, List<NotReadyReason> reasons) {
    boolean isLate() {
      return isRunning && System.nanoTime() - began > MAX_CHECK_TIME.toNanos();
    }
  }

  private ReadinessCheck(Database database, Path data) {
    this.database = database;
    this.data = data;
    this.last = new CheckRun(System.nanoTime(), false, List.of());
    check();
    this.thread = Thread.ofVirtual().name("readiness").start(this::work);
  }

  /// Checks `database` and the disk of the directory `data`, once now and then until it is closed.
  public static ReadinessCheck watch(Database database, Path data) {
    return new ReadinessCheck(database, data);
  }

  /// Why the daemon cannot work; empty if it can. Does not wait.
  public List<NotReadyReason> reasons() {
    if (isStopping) {
      return List.of(NotReadyReason.STOPPING);
    }
    CheckRun check = last;
    if (!check.isLate() || check.reasons().stream().anyMatch(NotReadyReason::isAboutTheDatabase)) {
      return check.reasons();
    }
    var reasons = new ArrayList<>(check.reasons());
    reasons.add(NotReadyReason.DATABASE_SLOW);
    return reasons;
  }

  public boolean isReady() {
    return reasons().isEmpty();
  }

  /// True if a query would probably only wait.
  public boolean isDatabaseDown() {
    return reasons().stream()
        .anyMatch(reason -> reason.code().equals(ErrorCode.DATABASE_UNREACHABLE.name()));
  }

  /// From now on the daemon is not ready.
  public void stopping() {
    isStopping = true;
  }

  private void work() {
    try {
      while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
        check();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void check() {
    List<NotReadyReason> before = last.reasons();
    last = new CheckRun(System.nanoTime(), true, before);
    var reasons = new ArrayList<NotReadyReason>();
    if (isDiskLow()) {
      reasons.add(NotReadyReason.DISK_LOW);
    }
    List<Fault> problems = problems();
    problems.stream()
        .map(NotReadyReason::of)
        .filter(reason -> reasons.stream().noneMatch(one -> one.code().equals(reason.code())))
        .forEach(reasons::add);
    last = new CheckRun(System.nanoTime(), false, List.copyOf(reasons));
    if (!reasons.equals(before) && closing.getCount() > 0) {
      report(reasons, problems);
    }
  }

  private List<Fault> problems() {
    try {
      return database.problems();
    } catch (RuntimeException e) {
      LOG.error("the check of the database failed", e);
      return List.of(new Fault(ErrorCode.INTERNAL, "the check of the database failed", "", e));
    }
  }

  private boolean isDiskLow() {
    try {
      return Files.getFileStore(data).getUsableSpace() < MIN_FREE_BYTES;
    } catch (IOException e) {
      LOG.warn("cannot read the free disk space", "data", data, "reason", e.getMessage());
      return true;
    }
  }

  private static void report(List<NotReadyReason> reasons, List<Fault> problems) {
    if (reasons.isEmpty()) {
      LOG.info("ready again");
      return;
    }
    for (NotReadyReason reason : reasons) {
      String detail =
          problems.stream()
              .filter(fault -> fault.code().name().equals(reason.code()))
              .findFirst()
              .map(Fault::message)
              .orElse(reason.message());
      LOG.warn("not ready", "code", reason.code(), "reason", detail);
    }
  }

  /// Does not wait for a check that hangs: the database does, when it is closed.
  @Override
  public void close() {
    closing.countDown();
    try {
      thread.join(MAX_CHECK_TIME);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
