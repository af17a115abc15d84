package dev.substrat.tool.execution;

import dev.substrat.tool.pending.PendingCall;

/// The time that a caller waits for a call that leaves the daemon. The work of the call uses it to
/// end the wait early, or to name the pending call that it has opened.
public interface InlineWait {
  /// For a call whose caller does not wait.
  InlineWait NONE =
      new InlineWait() {
        @Override
        public void end() {
          // There is no wait to end.
        }

        @Override
        public void keptAs(PendingCall call) {
          // The caller does not need the pending call.
        }
      };

  /// Ends the wait because the work will take long: the call becomes pending now.
  void end();

  /// Sets the pending call that the work has opened itself and that a service will answer. If the
  /// caller stops waiting, its call becomes this pending call.
  void keptAs(PendingCall call);
}
