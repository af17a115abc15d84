package dev.substrat.server;

import dev.substrat.platform.log.Log;
import java.util.ArrayDeque;
import java.util.Deque;

/// What has been started, to be stopped in reverse order, also when starting fails half-way.
///
/// Safe for many threads: a signal and a request may both want to stop.
final class CloseStack {
  private static final Log LOG = Log.of(CloseStack.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  synchronized <T extends AutoCloseable> T with(T part) {
    parts.push(part);
    return part;
  }

  /// False if there was nothing left to stop.
  synchronized boolean closeAll() {
    boolean any = !parts.isEmpty();
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        // The others must be stopped all the same.
        LOG.error("cannot stop a component", e);
      }
    }
    return any;
  }
}
