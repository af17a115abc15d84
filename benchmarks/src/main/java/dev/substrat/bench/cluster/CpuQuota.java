package dev.substrat.bench.cluster;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.time.Duration;

/// Limits the processor time of a process: stops it (SIGSTOP) whenever it has used more than its
/// share, and lets it continue when time has caught up.
///
/// Like the quota of a control group, it also stops a process that holds locks. It needs neither
/// privileges nor control groups. Unused time is not saved up.
final class CpuQuota implements AutoCloseable {
  private static final int CONTINUE = 18;
  private static final int STOP = 19;
  private static final Duration CHECK_EVERY = Duration.ofMillis(5);
  private static final MethodHandle KILL = kill();

  private final long process;
  private final double share;
  private final Thread thread;
  private volatile boolean closing;

  /// `share` is the part of one core: 0.5 is half a second per second.
  CpuQuota(long process, double share) {
    this.process = process;
    this.share = share;
    this.thread = Thread.ofPlatform().daemon().name("quota of " + process).start(this::limit);
  }

  /// Java has no signal that a process can continue after.
  @SuppressWarnings("restricted") // kill(2) has this signature
  private static MethodHandle kill() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("kill"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  private void limit() {
    long since = System.nanoTime();
    long base = ProcessCpu.of(process).toNanos();
    boolean isStopped = false;
    while (!closing) {
      double allowed = (System.nanoTime() - since) * share;
      long used = ProcessCpu.of(process).toNanos() - base;
      if (used > allowed != isStopped) {
        isStopped = !isStopped;
        signal(isStopped ? STOP : CONTINUE);
      } else if (!isStopped && allowed - used > CHECK_EVERY.toNanos() * 10) {
        since = System.nanoTime();
        base += used;
      }
      try {
        Thread.sleep(CHECK_EVERY);
      } catch (InterruptedException e) {
        break;
      }
    }
    signal(CONTINUE);
  }

  private void signal(int number) {
    try {
      int _ = (int) KILL.invokeExact((int) process, number);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot signal process " + process, e);
    }
  }

  @Override
  public void close() {
    closing = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
