package dev.substrat.server;

import dev.substrat.platform.log.Log;
import java.util.ArrayDeque;
import java.util.Deque;

/// Stack of started components, closed in reverse order, also when the start fails half-way.
///
/// Safe for many threads: a signal and a request may both stop the daemon.
final class CloseStack {
  private static final Log LOG = Log.of(CloseStack.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  synchronized <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /// False if everything was already stopped.
  synchronized boolean closeAll() {
    boolean any = !parts.isEmpty();
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        // The other components must be stopped, too.
        LOG.error("cannot stop a component", e, "component", part.getClass().getSimpleName());
      }
    }
    return any;
  }
}
