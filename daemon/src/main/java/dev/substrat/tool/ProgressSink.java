package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.atomic.AtomicBoolean;

/// Receiver of progress reports of a call.
@FunctionalInterface
public interface ProgressSink {
  ProgressSink UNHEARD = _ -> {};

  /// `status` is an object of the tool, for example `{"status": "loading", "text": "…"}`.
  void report(ObjectNode status);

  /// Reports to both. A listener that fails is dropped; the work continues.
  default ProgressSink andThen(ProgressSink other) {
    ProgressSink first = untilItFails();
    ProgressSink second = other.untilItFails();
    return status -> {
      first.report(status);
      second.report(status);
    };
  }

  /// The same, until a report fails: then it gets no more.
  default ProgressSink untilItFails() {
    var failed = new AtomicBoolean();
    return status -> {
      if (!failed.get()) {
        try {
          report(status);
        } catch (RuntimeException e) {
          failed.set(true);
        }
      }
    };
  }
}
