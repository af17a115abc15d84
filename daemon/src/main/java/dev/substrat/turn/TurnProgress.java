package dev.substrat.turn;

import dev.substrat.platform.log.Log;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.store.Database;
import dev.substrat.store.event.NewEvent;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.StaleTurn;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.transcript.Transcript;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/// Publishes the progress of a running turn: its streamed text, and visible calls whose arguments
/// are still being written.
///
/// Safe for many threads, guarded by its lock.
final class TurnProgress implements AutoCloseable {
  private static final Log LOG = Log.of(TurnProgress.class);

  private final Database database;
  private final TurnDependencies parts;
  private final ToolCaller caller;
  private final StreamedOutput speech;
  private final ProviderOwnCalls ownCalls;
  private final Map<String, CallDraft> drafts = new HashMap<>();

  TurnProgress(Database database, TurnDependencies parts, ToolCaller caller) {
    this.database = database;
    this.parts = parts;
    this.caller = caller;
    this.speech = new StreamedOutput(parts.clock(), this::speak);
    this.ownCalls = new ProviderOwnCalls(database, parts.transcript(), caller);
  }

  /// A call whose id at the provider differs from ours.
  private record CallDraft(String id, CallDisplay.CallDraft shown) {}

  synchronized void publish(ProviderEvent event, Transcript.TranscriptPosition place) {
    switch (event) {
      case ProviderEvent.CompleteText text -> keep(text.text(), place);
      case ProviderEvent.TextDelta delta -> speech.append(place.step(), delta.text());
      case ProviderEvent.ToolInputDelta delta ->
          drafts
              .computeIfAbsent(delta.callId(), _ -> draft(delta.tool()))
              .shown()
              .write(delta.delta());
      case ProviderEvent.OutputDiscarded _ -> {
        speech.restart();
        dropAll("the provider restarted its answer");
      }
      case ProviderEvent.SandboxUnavailable unwalled -> warn(unwalled.reason());
      case ProviderEvent.ToolStarted started -> ownCalls.started(started, place);
      case ProviderEvent.ToolFinished finished -> ownCalls.finished(finished, place);
      // Usage is recorded separately.
      case ProviderEvent.SessionStarted _,
          ProviderEvent.McpServerStatus _,
          ProviderEvent.ReasoningText _,
          ProviderEvent.PartialUsage _,
          ProviderEvent.UsageTotal _,
          ProviderEvent.TurnEnded _,
          ProviderEvent.UnknownEvent _ -> {}
    }
  }

  private void keep(String text, Transcript.TranscriptPosition place) {
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      parts.transcript().recordText(tx, place, text);
      return true;
    });
    speech.restart();
  }

  /// Recorded, so that readers of the run know that its programs were not sandboxed.
  private void warn(String reason) {
    append(about("run_without_sandbox").with("reason", reason));
  }

  private NewEvent about(String kind) {
    return NewEvent.of(kind)
        .about(caller.agent().id().value())
        .during(caller.run().value())
        .with("agent", caller.agent().handle());
  }

  private void append(NewEvent event) {
    database.transact(tx -> {
      TurnFence.require(tx, caller);
      parts.events().append(tx, event);
      return true;
    });
  }

  private CallDraft draft(String tool) {
    String id = LiveTurn.callId();
    return new CallDraft(id, parts.pipeline().draft(caller, id, tool));
  }

  /// Executes the call that was drafted under this id. If it is rejected before it could be shown,
  /// it is shown as an error.
  ToolPipeline.ResultWithUnread execute(
      String callId, Function<String, ToolPipeline.ResultWithUnread> call) {
    CallDraft draft;
    synchronized (this) {
      draft = drafts.remove(callId);
    }
    if (draft == null) {
      return call.apply(LiveTurn.callId());
    }
    ToolPipeline.ResultWithUnread answer = call.apply(draft.id());
    draft.shown().drop("the call was not executed");
    return answer;
  }

  /// The text of a step is complete.
  synchronized void endStep() {
    speech.flush();
  }

  private void speak(int step, int from, String text) {
    append(
        about("run.text")
            .with("turn", caller.turn())
            .with("step", step)
            .with("from", from)
            .with("text", text));
  }

  private void dropAll(String why) {
    drafts.values().forEach(draft -> draft.shown().drop(why));
    drafts.clear();
  }

  /// Calls that were never made must not be displayed as running.
  @Override
  public synchronized void close() {
    try {
      dropAll("the turn has ended");
    } catch (StaleTurn e) {
      LOG.debug("progress of a turn without a lease is dropped", "agent", caller.agent().handle());
    }
  }
}
