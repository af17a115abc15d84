package dev.substrat.tool.execution;

import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolResult;

/// Outcome of executing a tool: its result, or a failure that the agent can handle.
public final class CallAttempt {
  private static final Log LOG = Log.of(CallAttempt.class);

  private CallAttempt() {}

  public static ToolResult reply(Tool tool, CallRecord.RecordableCall made) {
    try {
      return tool.call(made.call(), made.meant());
    } catch (Fault fault) {
      return ToolResult.Failed.because(fault);
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      return internalError(made, e);
    }
  }

  /// Rejects a call before it starts: its arguments are invalid, or the schema turns out to be
  /// invalid.
  public static ToolResult refusal(CallRecord.RecordableCall made, RuntimeException e) {
    return e instanceof Fault fault ? ToolResult.Failed.because(fault) : internalError(made, e);
  }

  /// The same inside of a transaction, which a refusal undoes.
  public static ToolResult orReject(Tool tool, CallRecord.RecordableCall made) {
    try {
      return tool.call(made.call(), made.meant());
    } catch (Fault fault) {
      throw new RejectedCallException(fault);
    }
  }

  /// A tool's own fault on its way out of the transaction that it undoes.
  public static final class RejectedCallException extends RuntimeException {
    private final transient Fault fault;

    RejectedCallException(Fault fault) {
      super(fault);
      this.fault = fault;
    }

    public Fault fault() {
      return fault;
    }
  }

  /// Fault of a call that was executed but could not be recorded: otherwise the caller would repeat
  /// it.
  public static Fault executedButNotRecorded(Tool tool, ToolResult reply, Fault why) {
    if (tool.effect().isReadOnly() || reply instanceof ToolResult.Failed) {
      return why;
    }
    return new Fault(
        why.code(),
        "%s was executed, but its result could not be stored: %s"
            .formatted(tool.name(), why.message()),
        "check its effect before you repeat the call",
        why);
  }

  public static ToolResult internalError(CallRecord.RecordableCall made, RuntimeException e) {
    LOG.error(
        "tool failed with a bug",
        e,
        "tool",
        made.tool(),
        "agent",
        made.call().caller().agent().handle());
    return ToolResult.Failed.because(
        ErrorCode.INTERNAL.fault(
            "internal error in the tool", "continue without this tool, or retry later"));
  }
}
