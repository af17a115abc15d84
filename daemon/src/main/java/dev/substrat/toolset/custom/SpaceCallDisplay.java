package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.space.ActiveSpace;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.ToolMessages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.tool.CallDisplay;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.TurnFence;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Shows visible calls in the agent's active space: while they run, and then as a message.
/// Intermediate results of other calls are events for the operator.
final class SpaceCallDisplay implements CallDisplay {
  private static final Log LOG = Log.of(SpaceCallDisplay.class);

  private final Database database;
  private final EventLog events;
  private final ToolMessages messages;
  private final InstantSource clock;

  /// Calls that are being written, by id; their turns remove them.
  private final Map<String, SpaceCallDraft> drafts = new ConcurrentHashMap<>();

  SpaceCallDisplay(Database database, EventLog events, ToolMessages messages, InstantSource clock) {
    this.database = database;
    this.events = events;
    this.messages = messages;
    this.clock = clock;
  }

  @Override
  public CallDraft draft(ToolCaller caller, String callId, Tool tool) {
    var draft =
        new SpaceCallDraft(
            database, clock, space -> new CallEvents(events, space, caller, callId, tool.name()));
    drafts.put(callId, draft);
    return new CallDraft() {
      @Override
      public void write(String delta) {
        draft.write(delta);
      }

      @Override
      public void drop(String why) {
        drafts.remove(callId);
        draft.drop(why);
      }
    };
  }

  @Override
  public CallContext open(Tx tx, ToolCall call, Tool tool, ObjectNode arguments) {
    Optional<String> space = ActiveSpace.find(tx, call.caller());
    if (space.isEmpty()) {
      tx.afterCommit(() ->
          LOG.warn(
              "a tool with visible results was called without an active space, so its "
                  + "result is not shown",
              "tool",
              tool.name(),
              "agent",
              call.caller().agent().handle()));
      return new HiddenCall(progress(call, tool, null));
    }
    var shown = new ShownCall(space.get(), call, tool.name(), arguments);
    SpaceCallDraft draft = drafts.remove(call.id());
    if (draft == null || !draft.promote(tx, space.get())) {
      shown.callEvents.append(tx, "tool-call.start", Json.object());
      shown.callEvents.append(
          tx, "tool-input-delta", Json.object().put("delta", Json.text(arguments)));
    }
    return shown;
  }

  @Override
  public ProgressSink progress(ToolCall call, Tool tool, @Nullable String space) {
    if (!tool.reportsProgress()) {
      return ProgressSink.UNHEARD;
    }
    var callEvents =
        new CallEvents(
            events, tool.isShown() ? space : null, call.caller(), call.id(), tool.name());
    return status -> append(callEvents, status);
  }

  private void append(CallEvents callEvents, ObjectNode status) {
    database.transact(tx -> {
      callEvents.appendProgress(tx, status);
      return true;
    });
  }

  /// A call of a visible tool whose agent has no active space.
  private record HiddenCall(ProgressSink progress) implements CallContext {
    @Override
    public void report(ObjectNode status) {
      progress.report(status);
    }

    @Override
    public void close(Tx tx, ToolResult reply) {
      // No space shows the result.
    }
  }

  /// Display of one call in one space.
  private final class ShownCall implements CallContext {
    private final String space;
    private final ToolCall call;
    private final String tool;
    private final ObjectNode input;
    private final CallEvents callEvents;

    ShownCall(String space, ToolCall call, String tool, ObjectNode input) {
      this.space = space;
      this.call = call;
      this.tool = tool;
      this.input = input;
      this.callEvents = new CallEvents(events, space, call.caller(), call.id(), tool);
    }

    @Override
    public void report(ObjectNode status) {
      append(callEvents, status);
    }

    @Override
    public void close(Tx tx, ToolResult reply) {
      switch (reply) {
        case ToolResult.Pending pending -> wait(tx, pending.call().id());
        case ToolResult.Done done ->
            end(tx, "tool-call.complete", SpaceMessage.ToolCallStatus.COMPLETE, done);
        case ToolResult.Failed failed ->
            end(tx, "tool-call.error", SpaceMessage.ToolCallStatus.ERROR, failed);
      }
    }

    /// A quick service may have brought the result before the call was shown.
    private void wait(Tx tx, String id) {
      Optional<PendingCall> kept = PendingCalls.hold(tx, id);
      Optional<ObjectNode> result = kept.map(PendingCall::result).filter(Objects::nonNull);
      SpaceMessage.ToolCallStatus status =
          result.isPresent()
              ? SpaceMessage.ToolCallStatus.COMPLETE
              : SpaceMessage.ToolCallStatus.REQUIRES_ACTION;
      var shown =
          new ToolMessages.DisplayedCall(
              status,
              metadata(id, result.orElse(null)),
              kept.filter(call -> !call.isAsked()).isPresent());
      MessageId message = messages.post(tx, call, space, shown);
      PendingCalls.staged(tx, id, space, message);
      result.ifPresent(output ->
          recordEnd(
              tx,
              "tool-call.complete",
              message,
              output,
              Json.object().put("pendingToolCallId", id)));
    }

    private void end(Tx tx, String kind, SpaceMessage.ToolCallStatus status, ToolResult reply) {
      var shown = new ToolMessages.DisplayedCall(status, metadata(call.id(), reply.json()));
      MessageId message = messages.post(tx, call, space, shown);
      recordEnd(tx, kind, message, reply.json(), Json.object());
    }

    private void recordEnd(
        Tx tx, String kind, MessageId message, ObjectNode output, ObjectNode payload) {
      payload.put("message_id", message.value());
      payload.set("input", input);
      payload.set("output", output);
      callEvents.append(tx, kind, payload);
    }

    private ObjectNode metadata(String callId, @Nullable ObjectNode output) {
      var metadata = Json.object().put("toolName", tool).put("callId", callId);
      metadata.set("input", input);
      if (output != null) {
        metadata.set("output", output);
      }
      return metadata;
    }
  }

  /// A call of a visible tool while its arguments are being written, shown in the agent's active
  /// space.
  ///
  /// Each published piece is a commit, so pieces in quick succession are combined. Belongs to its
  /// turn's thread.
  private static final class SpaceCallDraft implements CallDisplay.CallDraft {
    private static final Duration BETWEEN = Duration.ofMillis(250);

    /// Maximum length of an event.
    private static final int LONGEST = 4_000;

    private final Database database;
    private final InstantSource clock;
    private final Function<String, CallEvents> eventsIn;
    private final StringBuilder untold = new StringBuilder();
    private @Nullable CallEvents callEvents;
    private @Nullable Instant lastPublished;
    private boolean isOver;

    /// `eventsIn` gives the events of this call in a space.
    SpaceCallDraft(Database database, InstantSource clock, Function<String, CallEvents> eventsIn) {
      this.database = database;
      this.clock = clock;
      this.eventsIn = eventsIn;
    }

    @Override
    public void write(String delta) {
      untold.append(delta);
      Instant now = clock.instant();
      if (isOver
          || (lastPublished != null
              && Duration.between(lastPublished, now).compareTo(BETWEEN) < 0)) {
        return;
      }
      lastPublished = now;
      Optional<CallEvents> begun = Optional.ofNullable(callEvents);
      callEvents =
          database
              .transact(tx -> {
                Optional<CallEvents> here = begun.or(() -> start(tx));
                here.ifPresent(one -> tellRest(tx, one));
                return here;
              })
              .orElse(null);
      isOver = callEvents == null;
      untold.setLength(0);
    }

    /// Nowhere, if the agent is in no space.
    private Optional<CallEvents> start(Tx tx) {
      ToolCaller caller = eventsIn.apply("").caller();
      TurnFence.require(tx, caller);
      Optional<CallEvents> here = ActiveSpace.find(tx, caller).map(eventsIn);
      here.ifPresent(one -> one.append(tx, "tool-call.start", Json.object()));
      return here;
    }

    private void tellRest(Tx tx, CallEvents here) {
      for (int at = 0; at < untold.length(); at += LONGEST) {
        String piece = untold.substring(at, Math.min(untold.length(), at + LONGEST));
        here.append(tx, "tool-input-delta", Json.object().put("delta", piece));
      }
    }

    /// Called when the call is made in `space`: publishes the rest. Returns whether the draft began
    /// there.
    boolean promote(Tx tx, String space) {
      CallEvents here = callEvents;
      boolean isHere = here != null && space.equals(here.space());
      if (here != null && isHere) {
        tellRest(tx, here);
      } else if (here != null) {
        drop(tx, here, "the agent changed its active space");
      }
      isOver = true;
      return isHere;
    }

    @Override
    public void drop(String why) {
      CallEvents here = callEvents;
      if (here != null && !isOver) {
        database.transact(tx -> {
          TurnFence.require(tx, here.caller());
          drop(tx, here, why);
          return true;
        });
      }
      isOver = true;
    }

    private static void drop(Tx tx, CallEvents here, String why) {
      var payload = Json.object();
      payload.set("output", Json.object().put("error", true).put("message", why));
      here.append(tx, "tool-call.error", payload);
    }
  }
}
