package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Set;

/// Listens for tool list changes of a server, and reconnects when the stream breaks.
final class ToolListWatch implements AutoCloseable {
  /// Statuses of a server that has no such stream.
  private static final Set<Integer> NO_STREAM = Set.of(404, 405, 501);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final RequestChannel conversation;
  private final ObjectNode wanted;
  private final Runnable toolsChanged;
  private final Thread thread;

  /// `wanted` are the parameters of the subscription request, in the era that has one.
  ToolListWatch(RequestChannel conversation, ObjectNode wanted, Runnable toolsChanged) {
    this.conversation = conversation;
    this.wanted = wanted;
    this.toolsChanged = toolsChanged;
    this.thread = Thread.ofVirtual().name("mcp tool list watch").start(this::run);
  }

  private void run() {
    Duration pause = FIRST_PAUSE;
    try {
      while (conversation.isOpen()) {
        long start = System.nanoTime();
        if (!listen()) {
          return;
        }
        boolean lasted = System.nanoTime() - start > LONGEST_PAUSE.toNanos();
        pause = lasted ? FIRST_PAUSE : pause;
        Thread.sleep(pause);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
        // Notifications may have been missed meanwhile.
        toolsChanged.run();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// False if the server has no stream.
  private boolean listen() throws InterruptedException {
    try {
      return conversation.listen(wanted.deepCopy());
    } catch (RemoteFailure failure) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      if (failure.reason() == RemoteFailure.Reason.SESSION_LOST) {
        // A listener that lists the tools now notices the failure and reconnects.
        toolsChanged.run();
        return false;
      }
      return !hasNoStream(failure);
    }
  }

  /// An overloaded or restarting server has its stream again later.
  private static boolean hasNoStream(RemoteFailure failure) {
    int status = failure.refusal().status();
    return failure.reason() == RemoteFailure.Reason.REFUSED
        && (status / 100 == 2 || NO_STREAM.contains(status));
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
