package dev.substrat.turn;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.ArrayList;
import java.util.List;

/// Distinguishes outages of external systems, which are transient, from bugs, and logs them
/// accordingly.
final class OutageClassifier {
  private OutageClassifier() {}

  static boolean isOutage(RuntimeException failure) {
    return failure instanceof Fault fault && fault.code().kind() == ErrorCode.ErrorKind.OUTSIDE;
  }

  /// An outage is one line; a bug shows its stack.
  static void report(Log log, String what, RuntimeException failure, Object... pairs) {
    if (isOutage(failure)) {
      var all = new ArrayList<Object>(List.of(pairs));
      all.addAll(List.of("reason", String.valueOf(failure.getMessage())));
      log.warn(what, all.toArray());
    } else {
      log.error(what, failure, pairs);
    }
  }
}
