package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.store.Tx;
import org.jspecify.annotations.Nullable;

/// Displays calls of visible tools to people.
@FunctionalInterface
public interface CallDisplay {
  /// Displays nothing.
  CallDisplay NONE = (_, _, _, _) -> CallContext.UNSEEN;

  /// A call begins, in the transaction that records it.
  CallContext open(Tx tx, ToolCall call, Tool tool, ObjectNode arguments);

  /// Receives the intermediate results of a call that was not opened here: one of a tool that is
  /// not visible, or one that is executed again after a restart, which `space` shows already.
  default ProgressSink progress(ToolCall call, Tool tool, @Nullable String space) {
    return ProgressSink.UNHEARD;
  }

  /// The provider starts to write a call, which will have this id if it is made.
  default CallDraft draft(ToolCaller caller, String callId, Tool tool) {
    return CallDraft.UNSEEN;
  }

  /// A call that is being written, until it is made or discarded.
  interface CallDraft {
    CallDraft UNSEEN =
        new CallDraft() {
          @Override
          public void write(String delta) {
            // Not displayed.
          }

          @Override
          public void drop(String why) {
            // Not displayed.
          }
        };

    /// The next piece of its arguments.
    void write(String delta);

    /// The call will not be made; no effect after it was made.
    void drop(String why);
  }

  /// A call while it is displayed.
  interface CallContext extends ProgressSink {
    CallContext UNSEEN =
        new CallContext() {
          @Override
          public void report(ObjectNode status) {
            // Not displayed.
          }

          @Override
          public void close(Tx tx, ToolResult reply) {
            // Not displayed.
          }
        };

    /// The result, in the transaction that records it.
    void close(Tx tx, ToolResult reply);
  }
}
