package dev.substrat.tool;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether whoever made a call still wants to know what it comes to.
///
/// Safe for many threads. A thread is interrupted while it waits for the world outside and never
/// else, so what the daemon writes down about the call is written in peace.
public final class Interest {
  /// In a call that nobody takes back.
  public static final Interest LASTING = new Interest(() -> {});

  private final @Nullable Interest outer;
  private final Runnable watch;
  private final Set<Thread> waiting = new HashSet<>();
  private boolean isLost;

  /// `watch` is told as soon as it matters whether anybody still wants it.
  public Interest(Runnable watch) {
    this(null, watch);
  }

  private Interest(@Nullable Interest outer, Runnable watch) {
    this.outer = outer;
    this.watch = watch;
  }

  /// One that is lost together with `outer`, and can be lost alone.
  static Interest within(Interest outer) {
    return new Interest(outer, () -> {});
  }

  /// Does what may take long, which is interrupted as soon as nobody wants it any more.
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
      // It was ours, and has been heeded.
      Thread.interrupted();
    }
  }

  /// From now on nobody wants it.
  public synchronized void lose() {
    isLost = true;
    waiting.forEach(Thread::interrupt);
  }
}
