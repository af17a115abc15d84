package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.store.Tx;

/// Where people see the calls of visible tools.
@FunctionalInterface
public interface Stage {
  /// One that nobody looks at.
  Stage DARK = (_, _, _, _) -> Scene.UNSEEN;

  /// A call begins, in the transaction that records it.
  Scene open(Tx tx, Call call, Tool tool, ObjectNode arguments);

  /// One call, while it is seen.
  interface Scene extends Progress {
    Scene UNSEEN =
        new Scene() {
          @Override
          public void report(ObjectNode status) {
            // Nobody looks.
          }

          @Override
          public void close(Tx tx, ToolReply reply) {
            // Nobody looks.
          }
        };

    /// It has its reply, in the transaction that records that.
    void close(Tx tx, ToolReply reply);
  }
}
