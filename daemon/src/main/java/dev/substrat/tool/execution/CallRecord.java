package dev.substrat.tool.execution;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.transcript.CallDetails;
import dev.substrat.tool.transcript.Transcript;

/// Rows and events of a tool call in the run's record: one row for the call, one for its result,
/// and one event.
public final class CallRecord {
  private final Transcript transcript;
  private final EventLog events;

  public CallRecord(Transcript transcript, EventLog events) {
    this.transcript = transcript;
    this.events = events;
  }

  /// A call. `arguments` are recorded; `meant` are what the tool gets, see [LenientArguments].
  public record RecordableCall(ToolCall call, String tool, ObjectNode arguments, ObjectNode meant) {
    public RecordableCall(ToolCall call, String tool, ObjectNode arguments) {
      this(call, tool, arguments, arguments);
    }

    public RecordableCall with(ObjectNode others) {
      return new RecordableCall(call, tool, others);
    }

    public RecordableCall meaning(ObjectNode others) {
      return new RecordableCall(call, tool, arguments, others);
    }

    RecordableCall heardBy(ProgressSink other) {
      return new RecordableCall(call.withProgress(other), tool, arguments, meant);
    }

    RecordableCall executedBy(CancelSignal interest, InlineWait wait) {
      return new RecordableCall(call.executedBy(interest, wait), tool, arguments, meant);
    }

    private Transcript.TranscriptPosition place(boolean replayed) {
      return new Transcript.TranscriptPosition(call.caller().run(), call.step(), replayed);
    }

    private Transcript.RecordedCallInput line() {
      return new Transcript.RecordedCallInput(call.id(), tool, arguments, call.clientMeta());
    }
  }

  void called(Tx tx, RecordableCall made) {
    transcript.called(tx, made.place(false), made.line());
  }

  /// Records the result, and the call itself if its row is missing.
  void returned(
      Tx tx, RecordableCall made, ToolPipeline.ResultWithUnread answer, WriteAheadRow row) {
    if (row.isThere()) {
      returned(tx, made, answer);
    } else {
      calledAndReturned(tx, made, answer);
    }
  }

  private void returned(Tx tx, RecordableCall made, ToolPipeline.ResultWithUnread answer) {
    transcript.returned(tx, made.place(false), made.call().id(), made.tool(), result(answer));
    events.append(tx, event(made, answer.reply()));
  }

  /// Records the call and its result.
  void calledAndReturned(Tx tx, RecordableCall made, ToolPipeline.ResultWithUnread answer) {
    String row = transcript.calledAndReturned(tx, made.place(false), made.line(), result(answer));
    events.append(
        tx,
        answer.reply() instanceof ToolResult.Failed
            ? event(made, answer.reply())
            : CallDetails.refer(about(made), row));
  }

  /// Records the call and a known result without an event, because the tool did not run.
  void known(Tx tx, RecordableCall made, ToolPipeline.ResultWithUnread answer, boolean replayed) {
    transcript.calledAndReturned(tx, made.place(replayed), made.line(), result(answer));
  }

  private static Transcript.RecordedResult result(ToolPipeline.ResultWithUnread answer) {
    ObjectNode beside = answer.beside();
    return new Transcript.RecordedResult(answer.reply().json(), beside.isEmpty() ? null : beside);
  }

  private static NewEvent event(RecordableCall made, ToolResult reply) {
    return about(made)
        .with("tool", made.tool())
        .with("arguments", made.arguments())
        .with("ok", !(reply instanceof ToolResult.Failed))
        .with("code", reply instanceof ToolResult.Failed failed ? failed.code() : null)
        .with("error", reply instanceof ToolResult.Failed failed ? failed.message() : null);
  }

  private static NewEvent about(RecordableCall made) {
    ToolCaller caller = made.call().caller();
    return NewEvent.of("tool_called")
        .about(caller.agent().id().value())
        .during(caller.run().value())
        .with("agent", caller.agent().handle());
  }
}
