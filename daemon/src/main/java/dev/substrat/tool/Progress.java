package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Where a call that takes a while says how far it is. Nobody need listen.
@FunctionalInterface
public interface Progress {
  Progress UNHEARD = _ -> {};

  /// `status` is whatever the tool has to say, for example `{"status": "loading", "text": "…"}`.
  void report(ObjectNode status);

  default Progress andThen(Progress other) {
    return status -> {
      report(status);
      other.report(status);
    };
  }
}
