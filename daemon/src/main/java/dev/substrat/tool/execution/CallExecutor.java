package dev.substrat.tool.execution;

import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.Tx;
import dev.substrat.tool.CallAttempt;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.InlineOutcome;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.ToolPipeline.Answer;
import dev.substrat.tool.ToolResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Carries out calls that fit their tools, and records them.
///
/// A call that is short work in the database is one transaction. Every other call that changes
/// something has its row in front; one that only looks is recorded when it is over. A call that
/// leaves the daemon and takes long is recorded as pending, and goes on in the background.
public final class CallExecutor {
  private final ToolPipeline.Parts parts;
  private final CallDisplay stage;
  private final CallRecord calls;
  private final CallRecorder recorder;
  private final BackgroundCalls background;
  private final DeferredRecorder afterwards;
  private final RunningCalls underWay = new RunningCalls();

  public CallExecutor(
      ToolPipeline.Parts parts,
      CallDisplay stage,
      CallRecord calls,
      CallRecorder recorder,
      BackgroundCalls background) {
    this.parts = parts;
    this.stage = stage;
    this.calls = calls;
    this.recorder = recorder;
    this.background = background;
    this.afterwards = new DeferredRecorder(parts.database(), calls);
  }

  public Answer execute(Tool tool, CallRecord.Made made) {
    if (tool.isShown()) {
      return change(tool, made);
    }
    CallRecord.Made heard =
        tool.reportsProgress() ? made.heardBy(stage.progress(made.call(), tool, null)) : made;
    boolean onlyLooks = tool.effect().isReadOnly() && !tool.isOneTransaction();
    return onlyLooks ? look(tool, heard) : change(tool, heard);
  }

  private Answer change(Tool tool, CallRecord.Made made) {
    try (var stay = underWay.begin(made.call(), tool)) {
      if (!stay.isAlone()) {
        return recorder.record(made, RunningCalls.refusal(made.call().caller(), tool));
      }
      return tool.isOneTransaction() ? inOne(tool, made) : inTwo(tool, made);
    }
  }

  /// If the daemon dies while a tool only looks, nothing was done that should be on record. Only a
  /// call that became pending is found again by its key.
  private Answer look(Tool tool, CallRecord.Made made) {
    if (!tool.isOpenWorld()) {
      return recordLook(made, CallAttempt.reply(tool, made));
    }
    Optional<ToolResult> pending = findPending(tool, made);
    if (pending.isPresent()) {
      return recorder.record(made, pending.get());
    }
    var look =
        SlowReadRecorder.begin(() ->
            recorder.fenced(
                made,
                tx -> {
                  calls.called(tx, made);
                  return made;
                }));
    InlineOutcome attempted;
    boolean isOnRecord;
    try {
      attempted = background.attempt(tool, made);
    } finally {
      isOnRecord = look.end();
    }
    return !isOnRecord && attempted instanceof InlineOutcome.Finished replied
        ? recordLook(made, replied.reply())
        : end(
            tool,
            made,
            CallDisplay.CallContext.UNSEEN,
            attempted,
            isOnRecord ? WriteAheadRow.there() : WriteAheadRow.missing());
  }

  private Optional<ToolResult> findPending(Tool tool, CallRecord.Made made) {
    return tool.deferral() == null || made.call().idempotencyKey() == null
        ? Optional.empty()
        : parts
            .database()
            .read(tx -> RepeatedCalls.find(tx, made.call(), tool))
            .filter(ToolResult.Pending.class::isInstance);
  }

  private Answer recordLook(CallRecord.Made made, ToolResult reply) {
    return afterwards.record(
        made, () -> recorder.withNews(made, reply), () -> recorder.record(made, reply));
  }

  private Answer inOne(Tool tool, CallRecord.Made made) {
    try {
      return recorder.fenced(
          made,
          tx -> {
            Optional<ToolResult> earlier = RepeatedCalls.find(tx, made.call(), tool);
            if (earlier.isPresent()) {
              return recorder.record(tx, made, earlier.get());
            }
            CallDisplay.CallContext scene = scene(tx, tool, made);
            ToolResult reply = tx.including(() -> CallAttempt.orRefuse(tool, made));
            close(tx, tool, made, scene, reply);
            return recorder.record(tx, made, reply);
          });
    } catch (CallAttempt.Rejected refused) {
      return recorder.record(made, ToolResult.Failed.because(refused.fault()));
    } catch (StaleTurn e) {
      throw e;
    } catch (RuntimeException e) {
      // The database is away, or a bug: only that can be put on record.
      if (e instanceof Fault fault && fault.code().kind() != ErrorCode.Kind.BUG) {
        throw fault;
      }
      return recorder.record(made, CallAttempt.broke(made, e));
    }
  }

  /// Whatever happens to the daemon in between, there is a record that it was tried; or it is on
  /// its way to the disk, if nobody will ever try it again.
  private Answer inTwo(Tool tool, CallRecord.Made made) {
    boolean comesOnce = made.call().idempotencyKey() == null;
    if (!tool.isOpenWorld() || tool.isShown() || !comesOnce) {
      return begunFirst(tool, made);
    }
    return afterwards.begin(
        made,
        row -> {
          InlineOutcome attempted = background.attempt(tool, made);
          row.over();
          return end(tool, made, CallDisplay.CallContext.UNSEEN, attempted, row);
        },
        () -> begunFirst(tool, made));
  }

  private Answer begunFirst(Tool tool, CallRecord.Made made) {
    StartedCall begun = recorder.fenced(made, tx -> begin(tx, tool, made));
    if (begun.answer() != null) {
      return begun.answer();
    }
    InlineOutcome attempted = background.attempt(tool, made.heardBy(begun.scene()));
    return end(tool, made, begun.scene(), attempted, WriteAheadRow.there());
  }

  private Answer end(
      Tool tool,
      CallRecord.Made made,
      CallDisplay.CallContext scene,
      InlineOutcome attempted,
      WriteAheadRow row) {
    return switch (attempted) {
      case InlineOutcome.Finished(ToolResult reply) -> end(tool, made, scene, reply, row);
      case InlineOutcome.StillRunning(BackgroundCall call) ->
          background.deferring(
              call,
              () ->
                  recorder.fenced(
                      made,
                      tx -> {
                        ToolResult reply = new ToolResult.Pending(background.open(tx, tool, call));
                        return ended(tx, tool, made, scene, reply, row);
                      }));
    };
  }

  private Answer ended(
      Tx tx,
      Tool tool,
      CallRecord.Made made,
      CallDisplay.CallContext scene,
      ToolResult reply,
      WriteAheadRow row) {
    Answer answer = recorder.withNews(tx, made, reply);
    close(tx, tool, made, scene, reply);
    calls.returned(tx, made, answer, row);
    return answer;
  }

  private Answer end(
      Tool tool,
      CallRecord.Made made,
      CallDisplay.CallContext scene,
      ToolResult reply,
      WriteAheadRow row) {
    // What is remembered costs the one writer nothing.
    var early = parts.database().hasOneWriter() ? recorder.withNews(made, reply) : null;
    try {
      return recorder.fenced(
          made,
          tx -> {
            Answer answer = early == null ? recorder.withNews(tx, made, reply) : early;
            close(tx, tool, made, scene, reply);
            calls.returned(tx, made, answer, row);
            return answer;
          });
    } catch (Fault fault) {
      throw CallAttempt.unkept(tool, reply, fault);
    }
  }

  /// A call on record: it is shown, or its answer is known.
  private record StartedCall(CallDisplay.CallContext scene, @Nullable Answer answer) {}

  private StartedCall begin(Tx tx, Tool tool, CallRecord.Made made) {
    Optional<ToolResult> earlier = RepeatedCalls.find(tx, made.call(), tool);
    if (earlier.isPresent()) {
      return new StartedCall(
          CallDisplay.CallContext.UNSEEN, recorder.record(tx, made, earlier.get()));
    }
    calls.called(tx, made);
    RepeatedCalls.begin(tx, made.call(), tool, parts.clock().instant());
    return new StartedCall(scene(tx, tool, made), null);
  }

  private void close(
      Tx tx, Tool tool, CallRecord.Made made, CallDisplay.CallContext scene, ToolResult reply) {
    scene.close(tx, reply);
    RepeatedCalls.keep(tx, made.call(), tool, parts.clock().instant(), reply);
  }

  private CallDisplay.CallContext scene(Tx tx, Tool tool, CallRecord.Made made) {
    return tool.isShown()
        ? stage.open(tx, made.call(), tool, made.arguments())
        : CallDisplay.CallContext.UNSEEN;
  }
}
