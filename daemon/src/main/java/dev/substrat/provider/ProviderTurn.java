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
import dev.substrat.toolset.approval.ProviderApprovals.Decision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A turn as its provider sees it.
public interface ProviderTurn {
  /// The pause of a turn that never ends by itself.
  Duration FOREVER = Duration.ofDays(36_500);

  Agent agent();

  /// How many turns the agent has had, with this one; an attempt that failed counts.
  long number();

  /// What the turn is about, oldest first.
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

  /// A step begins that uses nothing up. Calls belong to the step that began last.
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

  /// Waits as long as the agent itself wants to, on the daemon's clock.
  void pause(Duration time) throws InterruptedException;

  /// A token of this turn, for a provider that calls tools over MCP. It is revoked when the turn
  /// ends or loses its lease.
  Token credential();

  /// A token for a program that stays after this turn: it can do what the agent's turn can that is
  /// under way here, and nothing between two turns. The agent's earlier one ends with it.
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

  /// What its provider kept of the agent's earlier turns for itself, a conversation's id, say. It
  /// is gone when the agent has got another provider.
  Optional<String> storedState();

  /// Keeps something for the turns after this one, whether or not this one ends well.
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
  default Decision requestApproval(ApprovalRequest wish) {
    return Decision.REFUSED;
  }

  /// Publishes progress of the turn.
  void publish(ProviderEvent event);

  /// Calls one of the agent's tools; returns at once. Throws a [ReplayMismatch] if the turn follows
  /// a record that has another call here: the provider must let it pass.
  ToolPipeline.Answer call(String tool, ObjectNode arguments);

  /// The same for a call whose arguments were streamed as [ProviderEvent.ToolInputDelta] under this
  /// id: watchers see them become the call.
  default ToolPipeline.Answer call(String callId, String tool, ObjectNode arguments) {
    return call(tool, arguments);
  }
}
