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
  /// How long a mind pauses that never comes to an end by itself.
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

  /// What the agent's mind is to be told, in words; the same each time it is asked for, and
  /// recorded with the turn. It shows nothing yet: that is [#show], for each event, once the mind
  /// has it.
  Prompt prompt();

  /// A step begins that uses nothing up. Calls belong to the step that began last.
  default void beginStep() {
    beginStep(BudgetReservation.NONE);
  }

  /// A step begins: the mind is asked once more, and uses up `most` at most. Throws a fault if that
  /// is more than a budget or the turn's limits allow (BUDGET_EXHAUSTED, LIMIT_REACHED); let it go
  /// through, it ends the turn.
  void beginStep(BudgetReservation most);

  /// What the step has used, as soon as the mind says so. A step that never says so, or says that
  /// it used nothing of what was reserved, has used all of it.
  void endStep(@Nullable String model, ModelUsage usage);

  /// Nobody has begun to answer the step: it has used nothing, and it is as if it had never begun.
  void withdrawStep();

  /// Waits as long as the agent itself wants to, on the daemon's clock.
  void pause(Duration time) throws InterruptedException;

  /// A token of this turn, for a mind that calls its tools over MCP. It is worth nothing the moment
  /// the turn is over or has lost its lease.
  Token credential();

  /// A token for a program that stays after this turn: it can do what the agent's turn can that is
  /// under way here, and nothing between two turns. The agent's earlier one ends with it.
  default Token standingCredential() {
    return credential();
  }

  /// True once somebody has asked for the agent's tools over MCP in this turn, or called one, with
  /// its token. A mind that never has may not even know that there are some.
  default boolean hasReachedTools() {
    return false;
  }

  /// What the agent may call, for a mind that has to be told.
  List<Tool> tools();

  /// What its provider kept of the agent's earlier turns for itself, a conversation's id, say. It
  /// is gone when the agent has got another provider.
  Optional<String> kept();

  /// Keeps something for the turns after this one, whether or not this one ends well.
  void keep(String state);

  /// What the agent has lived through before this turn, for a mind that does not remember by
  /// itself. Turns that failed are no part of it.
  default AgentHistory past() {
    return AgentHistory.NONE;
  }

  /// From now on the agent's past up to a turn is told by this text.
  default void sumUp(long throughTurn, String text) {}

  /// Whether the mind may do something on its own that people have to allow. If one has, the
  /// permission is used up; otherwise one is asked, whose answer starts a turn of its own: nobody
  /// waits for it.
  default Decision mayDo(ApprovalRequest wish) {
    return Decision.REFUSED;
  }

  /// Tells those who watch what the mind does.
  void tell(ProviderEvent event);

  /// Calls one of the agent's tools; returns at once. Throws a [ReplayMismatch] if the turn follows
  /// a record that has another call here: the provider must let it pass.
  ToolPipeline.Answer call(String tool, ObjectNode arguments);

  /// The same for a call whose arguments were told piece by piece, as
  /// [ProviderEvent.ToolInputDelta] under this id: those who watched see them become the call.
  default ToolPipeline.Answer call(String callId, String tool, ObjectNode arguments) {
    return call(tool, arguments);
  }
}
