package dev.substrat.tool;

import dev.substrat.pending.PendingCall;

/// The caller's wait for a call that leaves the daemon, as the work of that call sees it.
public interface InlineWait {
  /// Nobody waits.
  InlineWait NONE =
      new InlineWait() {
        @Override
        public void end() {
          // Nobody waits.
        }

        @Override
        public void keptAs(PendingCall call) {
          // Nobody has to be told.
        }
      };

  /// The work cannot be done soon: the call becomes pending now.
  void end();

  /// The work has opened a pending call of its own, which a service will answer; if the call
  /// becomes pending, it is that one.
  void keptAs(PendingCall call);
}
