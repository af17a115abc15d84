package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.messaging.inbox.TurnSubject;
import dev.substrat.messaging.message.OpenQuestions;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.space.SpaceMessage;
import dev.substrat.space.ToolMessages;
import dev.substrat.store.Database;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.execution.PendingResults;
import dev.substrat.tool.pending.CallLeases;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.toolset.approval.ProviderApprovals;
import dev.substrat.toolset.custom.middleware.RedactMiddleware;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Ends pending calls. One transaction ends the call, puts the result into its agent's inbox, and
/// updates the message in the space where people see the call.
public final class PendingCallCompletion implements PendingResults {
  /// The name of the question that the MCP client of an agent is asked.
  static final String ASKED = "answer";

  /// Maximum length of the arguments in the text of a result.
  private static final int MAX_ARGUMENTS_LENGTH = 2_000;

  private final Database database;
  private final EventLog events;
  private final PendingCalls calls;
  private final ToolMessages messages;

  PendingCallCompletion(
      Database database, EventLog events, PendingCalls calls, ToolMessages messages) {
    this.database = database;
    this.events = events;
    this.calls = calls;
    this.messages = messages;
  }

  /// Completes the call with `result`, if `by` may answer it. If the result does not match the form
  /// that was asked for, it is rejected and the call stays open.
  public PendingCall complete(String id, JsonNode result, Principal by) {
    PendingCall call = database.read(tx -> PendingCallAccess.requireAnswerable(tx, by, id));
    ObjectNode whole = requireValidResult(call, result);
    return settle(id, by.key(), whole, tx -> PendingCallAccess.requireAnswerable(tx, by, id));
  }

  /// The same for the service that was asked.
  public PendingCall complete(CallbackUrls.VerifiedCallback callback, JsonNode result) {
    PendingCall call = database.read(tx -> PendingCallAccess.require(tx, callback.call()));
    return settle(call.id(), "callback", requireValidResult(call, result), _ -> {});
  }

  private ObjectNode requireValidResult(PendingCall call, JsonNode result) {
    requireAsked(call);
    ObjectNode whole =
        result instanceof ObjectNode object ? object : Json.object().set("value", result);
    if (calls.isWaiting(call)) {
      // Before the transaction: the form never changes, and checking patterns can be slow.
      AnswerForm.require(call, whole);
    }
    return whole;
  }

  /// Without a display: people and services are not asked.
  @Override
  public PendingCall open(Tx tx, ToolCall call, String tool, ObjectNode arguments) {
    return calls.open(
        tx,
        new PendingCalls.NewPendingCall(
            call.caller().agent().id().value(),
            call.caller().run().value(),
            tool,
            arguments,
            Json.object(),
            null,
            Json.object(),
            RunInputEvents.pendingChain(tx, call.caller()),
            new PendingCall.CallOrigin(call.id(), List.of())));
  }

  @Override
  public boolean deliver(Tx tx, String id, int attempt, ToolResult reply) {
    if (reply instanceof ToolResult.Pending) {
      return true;
    }
    var status =
        reply instanceof ToolResult.Failed
            ? SpaceMessage.ToolCallStatus.ERROR
            : SpaceMessage.ToolCallStatus.COMPLETE;
    return CallLeases.isCurrent(tx, id, attempt)
        && settle(tx, id, "substrat", reply.json(), status);
  }

  private static void requireAsked(PendingCall call) {
    if (!call.isAsked()) {
      throw ErrorCode.CONFLICT.fault(
          "call "
              + call.id()
              + " of "
              + call.tool()
              + " is executed by the daemon and accepts no result from outside",
          "wait for the result, or cancel the call by declining it as the operator");
    }
  }

  /// Declines the call, with an optional reason, if `by` may answer it. If the daemon executes the
  /// call, the work is cancelled by its next sweep and its result is ignored.
  public PendingCall decline(String id, @Nullable String reason, Principal by) {
    var result = Json.object().put("declined", true);
    if (reason != null && !reason.isBlank()) {
      result.put("reason", reason);
    }
    return settle(id, by.key(), result, tx -> PendingCallAccess.requireAnswerable(tx, by, id));
  }

  /// Rejects answers of an MCP client that do not match the form it was asked for.
  public static void requireFrom(PendingCall call, ObjectNode answers) {
    accepted(answers).ifPresent(content -> AnswerForm.require(call, content));
  }

  /// The user of the agent's MCP client has answered there. Many clients have no user and decline
  /// automatically: then the call stays open and can be answered here.
  public void answeredByClient(Tx tx, PendingCall call) {
    accepted(call.answers())
        .ifPresent(content ->
            settle(tx, call.id(), "client", content, SpaceMessage.ToolCallStatus.COMPLETE));
  }

  /// The agent's client has fetched the result as a task, in `run`: it is not delivered again. If
  /// `run` is a turn about the same subject, the result becomes part of that turn, and comes back
  /// if the turn fails.
  public static void fetched(Tx tx, PendingCall call, @Nullable RunId run) {
    boolean isOfTurn =
        run != null
            && Objects.equals(
                PendingCalls.chain(tx, call.id()).subject(),
                RunInputEvents.chain(tx, run).subject())
            && Inbox.claimResult(tx, call.id(), run);
    if (!isOfTurn && Inbox.withdrawResult(tx, call.id())) {
      wakeSubject(tx, call, run, "The result of call %s (tool %s) was fetched in another turn.");
    }
  }

  /// The agent's client has cancelled the call as a task, in `run`.
  public void cancelledByClient(Tx tx, PendingCall call, @Nullable RunId run) {
    if (cancel(tx, call, "the agent's MCP client cancelled the call")) {
      wakeSubject(tx, call, run, "Call %s (tool %s) was cancelled in another turn.");
    }
  }

  /// Starts a turn about the call's subject, which the result would have started: no turn could
  /// answer the question while the call was open. If `run` is about the subject, it can still
  /// answer.
  private static void wakeSubject(Tx tx, PendingCall call, @Nullable RunId run, String text) {
    String subject = PendingCalls.chain(tx, call.id()).subject();
    if (subject == null
        || (run != null && subject.equals(RunInputEvents.chain(tx, run).subject()))) {
      return;
    }
    if (isOpen(tx, subject, new AgentId(call.owner()))) {
      put(tx, call, InboxEvent.InboxEventKind.NOTICE, text.formatted(call.id(), call.tool()), null);
    }
  }

  /// Direct messages can always be answered.
  private static boolean isOpen(Tx tx, String subject, AgentId agent) {
    return TurnSubject.findQuestion(subject)
        .map(question -> OpenQuestions.isOpen(tx, question, agent))
        .orElse(true);
  }

  private static Optional<ObjectNode> accepted(ObjectNode answers) {
    JsonNode said = answers.path(ASKED);
    return said.path("action").asText().equals("accept")
            && said.path("content") instanceof ObjectNode content
        ? Optional.of(content)
        : Optional.empty();
  }

  /// `access` refuses a principal that may not answer, in the transaction that records the answer.
  /// The fault for a call that is over is thrown after the commit, so that an expiry noticed here
  /// is recorded.
  private PendingCall settle(String id, String by, ObjectNode result, Consumer<Tx> access) {
    boolean isTaken =
        database.transact(tx -> {
          access.accept(tx);
          return settle(tx, id, by, result, SpaceMessage.ToolCallStatus.COMPLETE);
        });
    PendingCall call = database.read(tx -> PendingCallAccess.require(tx, id));
    if (!isTaken) {
      throw alreadyEnded(call);
    }
    return call;
  }

  private boolean settle(
      Tx tx, String id, String by, ObjectNode result, SpaceMessage.ToolCallStatus status) {
    ObjectNode seen = RedactMiddleware.of(PendingCalls.origin(tx, id).redacted()).without(result);
    if (!calls.complete(tx, id, seen, by)) {
      // If the call is still open, its time is over and no sweep has noticed yet.
      expire(tx, id);
      return false;
    }
    PendingCall call = PendingCalls.find(tx, id).orElseThrow();
    deliverResult(tx, call, seen, status);
    return true;
  }

  /// Rejects an answer to other arguments than those of the call. Without a hash there is nothing
  /// to compare: programs need not send one.
  public static void requireShown(PendingCall call, @Nullable String argsHash) {
    if (argsHash != null && !argsHash.equals(call.argsHash())) {
      throw ErrorCode.CONFLICT.fault(
          "the answer is for other arguments: its argsHash is \"%s\", but call %s has %s"
              .formatted(argsHash, call.id(), call.argsHash()),
          "read the call again (GET /api/pending/%s), then answer it".formatted(call.id()));
    }
  }

  private static Fault alreadyEnded(PendingCall call) {
    return switch (call.status()) {
      case EXPIRED ->
          ErrorCode.EXPIRED.fault(
              "the call expired at " + call.expiresAt(),
              "the agent got a notice that the call expired; send the agent a message instead");
      case CANCELLED ->
          ErrorCode.CONFLICT.fault("the call was cancelled", "its result is no longer needed");
      default ->
          ErrorCode.CONFLICT.fault(
              "the call already has a result", "only the first result of a call is accepted");
    };
  }

  /// Expires overdue calls with a result that says so; returns how many.
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
              .put("hint", "continue without the result, or call the tool again")
              .put("shown", seen);
      deliverResult(tx, call, result, SpaceMessage.ToolCallStatus.EXPIRED);
    }
  }

  private static String tooLate(PendingCall call, boolean seen) {
    if (!AnswerForm.isForPeople(call)) {
      return "no result arrived in time";
    }
    return seen
        ? "a person saw the request but did not answer in time"
        : "no person saw the request in time";
  }

  /// Cancels the open calls of an agent that was terminated.
  public void ended(Tx tx, AgentId agent) {
    for (PendingCall call : PendingCalls.openOf(tx, agent.value())) {
      cancel(tx, call, "its agent was terminated");
    }
  }

  /// Ends the call without a result; false if it was over already.
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
    show(tx, call, output, SpaceMessage.ToolCallStatus.ERROR);
    return true;
  }

  private void deliverResult(
      Tx tx, PendingCall call, ObjectNode result, SpaceMessage.ToolCallStatus status) {
    String text =
        "[Tool Result: %s] (callId: %s) %s".formatted(call.tool(), call.id(), Json.text(result))
            + ProviderApprovals.describe(call, result)
            + answered(call, result);
    String event = put(tx, call, InboxEvent.InboxEventKind.TOOL_RESULT, text, result);
    PendingCalls.setResultEvent(tx, call.id(), event);
    show(tx, call, result, status);
  }

  /// The question and who answered it, for an agent that made the call long ago.
  private static String answered(PendingCall call, ObjectNode result) {
    String by = call.sight().answeredBy();
    if (by == null || !AnswerForm.isForPeople(call)) {
      return "";
    }
    String arguments = Json.text(call.arguments());
    return "\n%s by %s. Arguments of the call: %s"
        .formatted(
            result.path("declined").asBoolean()
                ? "Declined"
                : ProviderApprovals.isYes(result) ? "Approved" : "Answered",
            by.startsWith(Principal.PERSON_PREFIX)
                ? by.substring(Principal.PERSON_PREFIX.length())
                : by,
            arguments.length() <= MAX_ARGUMENTS_LENGTH
                ? arguments
                : arguments.substring(0, MAX_ARGUMENTS_LENGTH) + "…");
  }

  /// Puts an event about the call into its agent's inbox, as part of the call's subject; returns
  /// the event's id.
  private static String put(
      Tx tx,
      PendingCall call,
      InboxEvent.InboxEventKind kind,
      String text,
      @Nullable ObjectNode result) {
    PendingCall.ChainPosition chain = PendingCalls.chain(tx, call.id());
    var payload =
        Json.object()
            .put("kind", kind.toString())
            .put("from", "substrat")
            .put("text", text)
            .put("depth", chain.depth());
    if (chain.cause() != null) {
      payload.put(InboxEvent.CAUSE, chain.cause());
    }
    var details = Json.object().put("tool", call.tool()).put("callId", call.id());
    details.set("arguments", call.arguments());
    if (call.sight().answeredBy() != null && call.isAsked()) {
      details.put("answered_by", call.sight().answeredBy());
    }
    payload.set("payload", result == null ? details : details.set("result", result));
    String id = MessageId.random().value();
    var event = new InboxEvent(id, kind, null, payload, 0, false);
    Inbox.put(tx, new AgentId(call.owner()), event.about(chain.subject()), false);
    return id;
  }

  private void show(
      Tx tx, PendingCall call, ObjectNode output, SpaceMessage.ToolCallStatus status) {
    String message = call.sight().message();
    String space = call.sight().space();
    if (message == null || space == null) {
      return;
    }
    messages.update(tx, new MessageId(message), status, output);
    PendingCall.CallOrigin origin = PendingCalls.origin(tx, call.id());
    boolean isWell = status == SpaceMessage.ToolCallStatus.COMPLETE;
    var event =
        NewEvent.of(isWell ? "tool-call.complete" : "tool-call.error")
            .in(space)
            .about(call.owner())
            .with("space", space)
            .with("agent", AgentTree.find(tx, call.owner()).map(Agent::handle).orElse(null))
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
