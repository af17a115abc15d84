package dev.substrat.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.fault.Fault;
import dev.substrat.id.AgentId;
import dev.substrat.id.MessageId;
import dev.substrat.inbox.Inbox;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.inbox.RunInput;
import dev.substrat.json.Json;
import dev.substrat.pending.ExecutedCalls;
import dev.substrat.pending.PendingCall;
import dev.substrat.pending.PendingCalls;
import dev.substrat.permission.Permissions;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.ToolMessages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.Tree;
import dev.substrat.tool.Call;
import dev.substrat.tool.DeferredResults;
import dev.substrat.tool.ToolReply;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Brings the results of calls that are answered later. In one transaction the call is over, its
/// agent has the result in its inbox, and the space where people saw it shows how it came out.
public final class Answers implements DeferredResults {
  /// Under which name the client of an agent is asked.
  static final String ASKED = "answer";

  private final Database database;
  private final EventLog events;
  private final PendingCalls calls;
  private final ToolMessages messages;

  Answers(Database database, EventLog events, PendingCalls calls, ToolMessages messages) {
    this.database = database;
    this.events = events;
    this.calls = calls;
    this.messages = messages;
  }

  /// Somebody has the result. Whether they may bring it was asked before. One that is no answer to
  /// what a person was asked is refused, and the question stays.
  public PendingCall complete(String id, JsonNode result, String by) {
    PendingCall call = requireAsked(id);
    ObjectNode whole = whole(result);
    if (calls.isWaiting(call)) {
      // Before the transaction: what is asked never changes, and patterns may take their time.
      Form.require(call, whole);
    }
    return settle(id, by, whole);
  }

  /// Without a display: people and services are not asked.
  @Override
  public PendingCall open(Tx tx, Call call, String tool, ObjectNode arguments) {
    return calls.open(
        tx,
        new PendingCalls.Opening(
            call.caller().agent().id().value(),
            call.caller().run().value(),
            tool,
            arguments,
            Json.object(),
            null,
            Json.object(),
            RunInput.pendingChain(tx, call.caller()),
            new PendingCall.Origin(call.id(), List.of())));
  }

  @Override
  public boolean deliver(Tx tx, String id, int attempt, ToolReply reply) {
    if (reply instanceof ToolReply.Pending) {
      return true;
    }
    var status =
        reply instanceof ToolReply.Failed
            ? SpaceMessage.Status.ERROR
            : SpaceMessage.Status.COMPLETE;
    return ExecutedCalls.isCurrent(tx, id, attempt)
        && settle(tx, id, "substrat", reply.json(), status);
  }

  private static ObjectNode whole(JsonNode result) {
    return result instanceof ObjectNode object ? object : Json.object().set("value", result);
  }

  private PendingCall requireAsked(String id) {
    PendingCall call =
        database.read(tx -> PendingCalls.find(tx, id)).orElseThrow(() -> unknown(id));
    if (!call.isAsked()) {
      throw new Fault(
          ErrorCode.CONFLICT,
          "the daemon executes this call of " + call.tool() + "; nobody else can answer it",
          "its agent receives the result; to cancel the call, decline it as the operator");
    }
    return call;
  }

  /// Somebody will not do it, and says so. What the daemon is at work on is stopped by that: it
  /// sees that its call is over, and what it would have brought is not taken any more.
  public PendingCall decline(String id, @Nullable String reason, String by) {
    var result = Json.object().put("declined", true);
    if (reason != null && !reason.isBlank()) {
      result.put("reason", reason);
    }
    return settle(id, by, result);
  }

  /// Refuses what a client brings that is no answer to what it was asked.
  public static void requireFrom(PendingCall call, ObjectNode answers) {
    accepted(answers).ifPresent(content -> Form.require(call, content));
  }

  /// Whoever sits in front of the agent's client has answered there. Many clients have nobody and
  /// decline by themselves: then it was not answered there, and still can be here.
  public void answeredThere(Tx tx, PendingCall call) {
    accepted(call.answers())
        .ifPresent(
            content -> settle(tx, call.id(), "client", content, SpaceMessage.Status.COMPLETE));
  }

  /// The agent's client has fetched the result as a task: it is not delivered again.
  public static void fetched(Tx tx, PendingCall call) {
    Inbox.withdrawResult(tx, call.id());
  }

  private static Optional<ObjectNode> accepted(ObjectNode answers) {
    JsonNode said = answers.path(ASKED);
    return said.path("action").asText().equals("accept")
            && said.path("content") instanceof ObjectNode content
        ? Optional.of(content)
        : Optional.empty();
  }

  /// Refused after the commit: that a call has expired is kept all the same.
  private PendingCall settle(String id, String by, ObjectNode result) {
    boolean isTaken =
        database.transact(tx -> settle(tx, id, by, result, SpaceMessage.Status.COMPLETE));
    PendingCall call =
        database.read(tx -> PendingCalls.find(tx, id)).orElseThrow(() -> unknown(id));
    if (!isTaken) {
      throw over(call);
    }
    return call;
  }

  private boolean settle(
      Tx tx, String id, String by, ObjectNode result, SpaceMessage.Status status) {
    ObjectNode seen = Redaction.of(PendingCalls.origin(tx, id).redacted()).without(result);
    if (!calls.complete(tx, id, seen, by)) {
      // One that is open all the same has waited too long, and nobody has noticed yet.
      expire(tx, id);
      return false;
    }
    PendingCall call = PendingCalls.find(tx, id).orElseThrow();
    bring(tx, call, seen, status);
    return true;
  }

  public static Fault unknown(String id) {
    return new Fault(
        ErrorCode.NOT_FOUND, "there is no call " + id, "GET /api/pending lists those that wait");
  }

  private static Fault over(PendingCall call) {
    return switch (call.status()) {
      case EXPIRED ->
          new Fault(
              ErrorCode.EXPIRED,
              "the call expired at " + call.expiresAt(),
              "its agent was told that nobody answered; write to it instead");
      case CANCELLED ->
          new Fault(
              ErrorCode.CONFLICT, "the call was cancelled", "nobody waits for its result any more");
      default ->
          new Fault(ErrorCode.CONFLICT, "the call is answered already", "an answer counts once");
    };
  }

  /// Ends those that waited too long, and tells their agents; returns how many.
  public int expire() {
    if (database.read(calls::due).isEmpty()) {
      return 0;
    }
    return database.transact(tx -> {
      List<String> due = calls.due(tx);
      due.forEach(id -> expire(tx, id));
      return due.size();
    });
  }

  private void expire(Tx tx, String id) {
    if (calls.expire(tx, id)) {
      PendingCall call = PendingCalls.find(tx, id).orElseThrow();
      boolean seen = call.sight().shownAt() != null;
      var result =
          Json.object()
              .put("error", true)
              .put("code", ErrorCode.EXPIRED.name())
              .put("message", tooLate(call, seen))
              .put("hint", "go on without it, or ask again")
              .put("shown", seen);
      bring(tx, call, result, SpaceMessage.Status.EXPIRED);
    }
  }

  private static String tooLate(PendingCall call, boolean seen) {
    if (!Form.isForPeople(call)) {
      return "no result came in time";
    }
    return seen ? "somebody saw it, but nobody answered in time" : "nobody saw it in time";
  }

  /// An agent has ended: nobody waits for its calls any more.
  public void ended(Tx tx, AgentId agent) {
    for (PendingCall call : PendingCalls.openOf(tx, agent.value())) {
      cancel(tx, call, "its agent was terminated");
    }
  }

  /// Its agent's client wants it no more; false if the call was over already.
  @Override
  public boolean cancel(Tx tx, PendingCall call, String reason) {
    if (!calls.cancel(tx, call.id())) {
      return false;
    }
    var output =
        Json.object()
            .put("error", true)
            .put("code", "CANCELLED")
            .put("message", "cancelled: " + reason);
    show(tx, call, output, SpaceMessage.Status.ERROR);
    return true;
  }

  private void bring(Tx tx, PendingCall call, ObjectNode result, SpaceMessage.Status status) {
    String event = MessageId.random().value();
    PendingCall.Chain chain = PendingCalls.chain(tx, call.id());
    var inbox =
        new InboxEvent(
            event, InboxEvent.Kind.TOOL_RESULT, null, payload(call, result, chain), 0, false);
    Inbox.put(tx, new AgentId(call.owner()), inbox.about(chain.subject()), false);
    PendingCalls.broughtBy(tx, call.id(), event);
    show(tx, call, result, status);
  }

  private static ObjectNode payload(PendingCall call, ObjectNode result, PendingCall.Chain chain) {
    var payload =
        Json.object()
            .put("kind", InboxEvent.Kind.TOOL_RESULT.toString())
            .put("from", "substrat")
            .put(
                "text",
                "[Tool Result: %s] (callId: %s) %s"
                        .formatted(call.tool(), call.id(), Json.text(result))
                    + Permissions.words(call, result))
            .put("depth", chain.depth());
    if (chain.cause() != null) {
      payload.put(InboxEvent.CAUSE, chain.cause());
    }
    var details = Json.object().put("tool", call.tool()).put("callId", call.id());
    details.set("result", result);
    payload.set("payload", details);
    return payload;
  }

  private void show(Tx tx, PendingCall call, ObjectNode output, SpaceMessage.Status status) {
    String message = call.sight().message();
    String space = call.sight().space();
    if (message == null || space == null) {
      return;
    }
    messages.update(tx, new MessageId(message), status, output);
    PendingCall.Origin origin = PendingCalls.origin(tx, call.id());
    boolean isWell = status == SpaceMessage.Status.COMPLETE;
    var event =
        NewEvent.of(isWell ? "tool-call.complete" : "tool-call.error")
            .in(space)
            .about(call.owner())
            .with("space", space)
            .with("agent", Tree.find(tx, call.owner()).map(Agent::handle).orElse(null))
            .with("toolName", call.tool())
            .with("callId", origin.callId() == null ? call.id() : origin.callId())
            .with("pendingToolCallId", call.id())
            .with("message_id", message)
            .with("status", status.toString())
            .with("input", call.arguments())
            .with("output", output);
    events.append(tx, call.run() == null ? event : event.during(call.run()));
  }
}
