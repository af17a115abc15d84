package dev.substrat.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.access.budget.BudgetReservation;
import dev.substrat.access.credential.Token;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.provider.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolPipeline;
import dev.substrat.tool.transcript.AgentHistory;
import dev.substrat.tool.transcript.ModelUsage;
import dev.substrat.toolset.approval.ApprovalRequest;
import dev.substrat.toolset.approval.ProviderApprovals.ApprovalDecision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A turn as its provider sees it.
public interface ProviderTurn {
  /// Pause of a turn that is ended from outside.
  Duration FOREVER = Duration.ofDays(36_500);

  Agent agent();

  /// Number of the agent's turns including this one; failed attempts count.
  long number();

  /// Events of the turn, oldest first.
  List<InboxEvent> events();

  /// The question that the turn answers, if it has one: `message_id` or `space`, `from`, `text`.
  default Optional<ObjectNode> subject() {
    return Optional.empty();
  }

  /// Must be called when the agent gets to see `event`: from then on it may answer it.
  void show(InboxEvent event);

  /// The prompt of the turn; the same each time, and recorded with the turn. It marks no event as
  /// shown: call [#show] for each event once the model has it.
  Prompt prompt();

  /// Begins a step without a reservation. Calls belong to the latest step.
  default void beginStep() {
    beginStep(BudgetReservation.NONE);
  }

  /// Begins a step: one model request that uses at most `most`. Throws a fault if that is more than
  /// a budget or the turn's limits allow (BUDGET_EXHAUSTED, LIMIT_REACHED); let it propagate, it
  /// ends the turn.
  void beginStep(BudgetReservation most);

  /// Records the usage of the step. A step that never reports its usage has used everything that
  /// was reserved.
  void endStep(@Nullable String model, ModelUsage usage);

  /// Cancels a step that was never answered: it has used nothing.
  void withdrawStep();

  /// Waits, on the daemon's clock.
  void pause(Duration time) throws InterruptedException;

  /// A token of this turn, for a provider that calls tools over MCP. It is revoked when the turn
  /// ends or loses its lease.
  Token credential();

  /// A token for a program that keeps running after this turn. It is valid only during turns of the
  /// agent in this daemon. It replaces the agent's earlier one.
  default Token standingCredential() {
    return credential();
  }

  /// True once the agent's tools were listed or called over MCP with the token of this turn. A
  /// provider that has never done so may not have found them.
  default boolean hasReachedTools() {
    return false;
  }

  /// The agent's tools, for a provider that sends them to a model.
  List<Tool> tools();

  /// State that the provider stored in earlier turns, for example the id of a conversation. It is
  /// deleted when the agent gets another provider.
  Optional<String> storedState();

  /// Stores state for later turns, whether or not this turn succeeds.
  void storeState(String state);

  /// The agent's history before this turn, for a provider without a memory of its own. Failed turns
  /// are not part of it.
  default AgentHistory history() {
    return AgentHistory.NONE;
  }

  /// Replaces the history up to a turn by this summary.
  default void storeSummary(long throughTurn, String text) {}

  /// Whether the provider may execute an action that needs approval. An approval is consumed;
  /// otherwise a person is asked, and the answer starts a turn of its own.
  default ApprovalDecision requestApproval(ApprovalRequest request) {
    return ApprovalDecision.REFUSED;
  }

  /// Publishes progress of the turn.
  void publish(ProviderEvent event);

  /// Calls one of the agent's tools; returns immediately. Throws a [ReplayMismatch] if a replayed
  /// turn has another call here; the provider must let it propagate.
  ToolPipeline.ResultWithUnread call(String tool, ObjectNode arguments);

  /// The same for a call whose arguments were streamed as [ProviderEvent.ToolInputDelta] under this
  /// id, so that clients can match the two.
  default ToolPipeline.ResultWithUnread call(String callId, String tool, ObjectNode arguments) {
    return call(tool, arguments);
  }
}
