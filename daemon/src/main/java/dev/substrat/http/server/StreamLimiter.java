package dev.substrat.http.server;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Truncation;
import java.util.HashMap;
import java.util.Map;

/// Limits how many event streams are open at the same time, for each caller and overall.
///
/// Safe for many threads.
final class StreamLimiter {
  static final int MAX_PER_CALLER = 1_000;
  static final int MAX_COUNT = 4_000;

  private final Map<String, Integer> open = new HashMap<>();
  private int all;

  /// Rejects another stream of `caller` (`CallerPermissions.account`) if there are too many.
  synchronized void requireRoom(String caller) {
    if (isFull(caller)) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "this token's holder already has %s open event streams"
              .formatted(Truncation.grouped(MAX_PER_CALLER)),
          "close unused streams, then connect again");
    }
    if (all >= MAX_COUNT) {
      throw ErrorCode.LIMIT_REACHED.fault(
          "the daemon already has %s open event streams".formatted(Truncation.grouped(MAX_COUNT)),
          "close unused streams, or connect again later");
    }
  }

  private boolean isFull(String caller) {
    return open.getOrDefault(caller, 0) >= MAX_PER_CALLER;
  }

  /// Counts a stream while it is written. If the limit was reached since [#requireRoom], it ends
  /// before its first event.
  HttpReply.EventStreamReply counted(String caller, HttpReply.EventStreamReply stream) {
    return new HttpReply.EventStreamReply(out -> {
      if (isOpened(caller)) {
        try {
          stream.writer().write(out);
        } finally {
          close(caller);
        }
      }
    });
  }

  private synchronized boolean isOpened(String caller) {
    if (isFull(caller) || all >= MAX_COUNT) {
      return false;
    }
    open.merge(caller, 1, Integer::sum);
    all++;
    return true;
  }

  private synchronized void close(String caller) {
    open.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
    all--;
  }
}
