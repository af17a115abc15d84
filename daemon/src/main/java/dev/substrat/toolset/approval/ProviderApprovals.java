package dev.substrat.toolset.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.inbox.RunInputEvents;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.tool.ToolCaller;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Asks people to approve actions of a provider's own tools. The provider does not wait: the action
/// is refused, and the answer arrives in the agent's inbox like the result of any pending call. An
/// approval allows exactly that action, once, for a limited time.
///
/// An approval is consumed when it is found, before the action is executed: a turn that fails
/// afterwards has to ask again, and nothing is executed twice because of one approval.
public final class ProviderApprovals {
  /// Tool name of these pending calls.
  public static final String NAME = "permission";

  private static final Duration TIMEOUT = Duration.ofDays(7);
  private static final Duration VALID = Duration.ofDays(1);
  private static final int MAX_OPEN_REQUESTS = 20;

  /// A longer request is refused.
  private static final int MAX_LENGTH = 100_000;

  private final EventLog events;
  private final PendingCalls calls;
  private final InstantSource clock;

  public ProviderApprovals(EventLog events, PendingCalls calls, InstantSource clock) {
    this.events = events;
    this.calls = calls;
    this.clock = clock;
  }

  /// Result of a request: approved before, asked now, or refused because there are too many open
  /// requests or it is too long.
  public enum ApprovalDecision {
    ALLOWED,
    ASKED,
    REFUSED
  }

  public ApprovalDecision ask(Tx tx, ToolCaller caller, ApprovalRequest request) {
    AgentId agent = caller.agent().id();
    String fingerprint = request.fingerprint();
    Optional<String> allowed = findAllowed(tx, agent, fingerprint);
    if (allowed.isPresent()) {
      use(tx, caller, allowed.get(), request);
      return ApprovalDecision.ALLOWED;
    }
    List<String> open = open(tx, agent);
    if (open.contains(fingerprint)) {
      return ApprovalDecision.ASKED;
    }
    if (open.size() >= MAX_OPEN_REQUESTS || Json.text(request.json()).length() > MAX_LENGTH) {
      return ApprovalDecision.REFUSED;
    }
    open(tx, caller, request);
    return ApprovalDecision.ASKED;
  }

  private Optional<String> findAllowed(Tx tx, AgentId agent, String fingerprint) {
    Instant oldest = clock.instant().minus(VALID);
    return tx
        .list(
            """
            select permission.call_id, pending_call.result
            from permission join pending_call on pending_call.id = permission.call_id
            where permission.agent_id = ? and permission.fingerprint = ?
              and permission.used_at is null
              and pending_call.status = 'completed' and pending_call.updated_at > ?
            order by permission.call_id
            """,
            row ->
                new AnsweredApproval(
                    row.text("call_id"), (ObjectNode) Json.own(row.text("result"))),
            agent.value(),
            fingerprint,
            oldest)
        .stream()
        .filter(answered -> isYes(answered.result()))
        .map(AnsweredApproval::call)
        .findFirst();
  }

  private record AnsweredApproval(String call, ObjectNode result) {}

  /// Whether a person approved.
  public static boolean isYes(ObjectNode result) {
    return result.path("approved").asBoolean() && !result.path("declined").asBoolean();
  }

  private void use(Tx tx, ToolCaller caller, String call, ApprovalRequest request) {
    tx.update(
        "update permission set used_at = ?, used_by = ? where call_id = ?",
        clock.instant(),
        caller.run().value(),
        call);
    events.append(
        tx,
        NewEvent.of("permission_used")
            .about(caller.agent().id().value())
            .during(caller.run().value())
            .with("agent", caller.agent().handle())
            .with("callId", call)
            .with("action", request.title()));
  }

  /// The fingerprints of what people are asked for an agent now.
  private static List<String> open(Tx tx, AgentId agent) {
    return tx.list(
        """
        select permission.fingerprint
        from permission join pending_call on pending_call.id = permission.call_id
        where permission.agent_id = ? and permission.used_at is null
          and pending_call.status in ('pending', 'asking')
        """,
        row -> row.text("fingerprint"),
        agent.value());
  }

  private void open(Tx tx, ToolCaller caller, ApprovalRequest request) {
    PendingCall call =
        calls.open(
            tx,
            new PendingCalls.NewPendingCall(
                caller.agent().id().value(),
                caller.run().value(),
                NAME,
                request.json(),
                Json.object(),
                TIMEOUT,
                display(caller),
                RunInputEvents.pendingChain(tx, caller),
                PendingCall.CallOrigin.NONE));
    tx.update(
        "insert into permission (call_id, agent_id, fingerprint) values (?, ?, ?)",
        call.id(),
        caller.agent().id().value(),
        request.fingerprint());
  }

  private static ObjectNode display(ToolCaller caller) {
    return Json.object()
        .put("executionType", NAME)
        .put("component", "approval")
        .put("title", "Allow " + caller.agent().handle() + " to do this?")
        .put(
            "description",
            "The agent's program asks for approval of an action that runs outside the "
                + "sandbox.");
  }

  /// Text for the agent beside the result; empty if the call is of another kind.
  public static String describe(PendingCall call, ObjectNode result) {
    if (!call.sight().display().path("executionType").asText().equals(NAME)) {
      return "";
    }
    String asked = "\nYou asked to do this: " + call.arguments().path("action").asText() + "\n";
    if (isYes(result)) {
      return asked
          + "Approved, once, for one day. Repeat exactly the same action now; any other action"
          + " needs another approval.";
    }
    return result.path("error").asBoolean()
        ? asked + "Not approved: the request expired without an answer."
        : asked + "Rejected. Do not request this action again; continue without it.";
  }
}
