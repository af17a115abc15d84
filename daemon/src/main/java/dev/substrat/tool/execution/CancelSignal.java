package dev.substrat.tool.execution;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Cancellation signal of a call: whether its caller still needs the result.
///
/// Safe for many threads. A thread is interrupted only inside of [#during], while it waits for
/// something outside of the daemon; the transactions that record the call are never interrupted.
public final class CancelSignal {
  /// For a call that is never cancelled.
  public static final CancelSignal LASTING = new CancelSignal(() -> {});

  private final @Nullable CancelSignal outer;
  private final Runnable watch;
  private final Set<Thread> waiting = new HashSet<>();
  private boolean isLost;

  /// `watch` runs before each [#during]: from then on the owner must report a lost caller.
  public CancelSignal(Runnable watch) {
    this(null, watch);
  }

  private CancelSignal(@Nullable CancelSignal outer, Runnable watch) {
    this.outer = outer;
    this.watch = watch;
  }

  /// A signal that is also cancelled when `outer` is, and can be cancelled alone.
  public static CancelSignal within(CancelSignal outer) {
    return new CancelSignal(outer, () -> {});
  }

  /// Runs slow work on the calling thread and interrupts it when the call is cancelled.
  public <T> T during(Supplier<T> work) {
    return outer == null ? interruptibly(work) : outer.during(() -> interruptibly(work));
  }

  private <T> T interruptibly(Supplier<T> work) {
    watch.run();
    Thread here = Thread.currentThread();
    synchronized (this) {
      waiting.add(here);
      if (isLost) {
        here.interrupt();
      }
    }
    try {
      return work.get();
    } finally {
      leave(here);
    }
  }

  private synchronized void leave(Thread here) {
    waiting.remove(here);
    if (isLost) {
      // The interrupt came from here and has done its work.
      Thread.interrupted();
    }
  }

  /// Cancels the call.
  public synchronized void lose() {
    isLost = true;
    waiting.forEach(Thread::interrupt);
  }
}
