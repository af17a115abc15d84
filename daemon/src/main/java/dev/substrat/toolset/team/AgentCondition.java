package dev.substrat.toolset.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.messaging.inbox.TurnClaim;
import dev.substrat.messaging.message.PendingReplies;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.Json;
import dev.substrat.space.wakeup.HeldMessages;
import dev.substrat.store.Tx;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Current state of an agent, or the reason why it does not work, with everything a person needs to
/// act on it.
///
/// Several states can apply together, for example failing work and held messages. `state` is the
/// first of them in the order of [ConditionState]; the other components contain the rest.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AgentCondition(
    @JsonPropertyDescription(
            "State: terminated, busy, paused, no_budget, failing, queued, waiting, held or idle.")
        ConditionState state,
    @JsonPropertyDescription("The reason, as a sentence; missing if idle.") @Nullable String reason,
    @JsonPropertyDescription("Number of failed attempts at the next turn.")
        @Nullable Integer attempts,
    @JsonPropertyDescription("Time of the next attempt.") @Nullable Instant nextTryAt,
    @JsonPropertyDescription("Reason why the last attempt failed.") @Nullable String failure,
    @JsonPropertyDescription("Number of held messages to the agent.") long held,
    @JsonPropertyDescription("Agents whose replies the agent waits for, oldest question first.")
        List<AwaitedReply> waitingFor) {

  /// The condition of an agent that is not among [#engaged].
  public static final AgentCondition NOTHING_TO_DO =
      new AgentCondition(ConditionState.IDLE, null, null, null, null, 0, List.of());

  /// Agents that have a turn, are gated, have something in their inbox or wait for a reply, or
  /// whose turn in a held round has not come.
  private static final String ENGAGED =
      """
      select agent.id from agent
      where agent.id in (select value from MEMBERS) and (
        agent.lease_until > NOW or agent.gated = 1
        or exists (select 1 from inbox_event where inbox_event.agent_id = agent.id)
        or exists (select 1 from pending_reply where pending_reply.asker = agent.id)
        or exists (
          select 1 from space_round
          where state = 'held' and ' ' || queue || ' ' like '% ' || agent.id || ' %'
        )
      )
      """;

  /// In order of precedence.
  public enum ConditionState {
    TERMINATED,
    /// A turn is running.
    BUSY,
    /// Gated by a person or its parent.
    PAUSED,
    NO_BUDGET,
    /// Its work failed and will be retried.
    FAILING,
    /// It is ready and waits for a slot.
    QUEUED,
    /// It asked a question that is not answered yet.
    WAITING,
    /// All its waiting messages are held by a guard.
    HELD,
    IDLE;

    @Override
    @JsonValue
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// A question of the agent that is not answered yet.
  public record AwaitedReply(String agent, Instant since, String messageId) {}

  /// Whether a turn that is due cannot start.
  public boolean isStopped() {
    return switch (state) {
      case TERMINATED, BUSY, PAUSED, NO_BUDGET -> true;
      case FAILING, QUEUED, WAITING, HELD, IDLE -> false;
    };
  }

  /// Agents that may not be idle. Most agents of a large team are idle: one query for all of them
  /// saves several for each.
  public static Set<AgentId> engaged(Tx tx, List<Agent> agents) {
    List<String> found =
        tx.list(
            ENGAGED.replace("MEMBERS", tx.dialect().members()).replace("NOW", tx.dialect().now()),
            row -> row.text("id"),
            Json.text(agents.stream().map(agent -> agent.id().value()).toList()));
    var engaged = new HashSet<>(found);
    engaged.addAll(BudgetTable.stops(tx).keySet());
    return agents.stream()
        .filter(agent -> !agent.isAlive() || engaged.contains(agent.id().value()))
        .map(Agent::id)
        .collect(Collectors.toSet());
  }

  public static AgentCondition of(Tx tx, Agent agent, Instant now) {
    AgentId id = agent.id();
    Optional<BlockedReason> failing = BlockedReason.afterFailure(tx, id);
    Optional<Budget> budget = BudgetTable.findStop(tx, id);
    long held = HeldMessages.countFor(tx, id);
    List<AwaitedReply> waitingFor = waitingFor(tx, id);
    ConditionState state =
        own(tx, agent)
            .or(() -> budget.map(_ -> ConditionState.NO_BUDGET))
            .or(() -> failing.map(_ -> ConditionState.FAILING))
            .orElseGet(() -> {
              if (!agent.isExternal() && TurnClaim.isDue(tx, id, now)) {
                return ConditionState.QUEUED;
              }
              if (!waitingFor.isEmpty()) {
                return ConditionState.WAITING;
              }
              return held > 0 ? ConditionState.HELD : ConditionState.IDLE;
            });
    String reason =
        switch (state) {
          case TERMINATED -> "the agent was terminated";
          case BUSY -> "a turn is running";
          case PAUSED -> "the agent is paused; messages wait and no turn starts";
          case NO_BUDGET -> budget.map(Budget::reason).orElse(null);
          case FAILING -> failing.map(BlockedReason::reason).orElse(null);
          case QUEUED -> "a turn is due and waits for a slot";
          case WAITING -> "it waits for a reply from " + names(waitingFor);
          case HELD -> held == 1 ? "1 message is held" : held + " messages are held";
          case IDLE -> null;
        };
    return new AgentCondition(
        state,
        reason,
        failing.map(BlockedReason::attempts).orElse(null),
        failing.flatMap(BlockedReason::findNextTry).orElse(null),
        failing.map(BlockedReason::reason).orElse(null),
        held,
        waitingFor);
  }

  /// The state from the agent's own row: terminated, in a turn, or blocked.
  private static Optional<ConditionState> own(Tx tx, Agent agent) {
    if (!agent.isAlive()) {
      return Optional.of(ConditionState.TERMINATED);
    }
    return tx.find(
        """
        select case when lease_until > NOW then 1 else 0 end as busy from agent
        where id = ? and (lease_until > NOW or (gated = 1 and permits = 0))
        """
            .replace("NOW", tx.dialect().now()),
        row -> row.flag("busy") ? ConditionState.BUSY : ConditionState.PAUSED,
        agent.id().value());
  }

  private static List<AwaitedReply> waitingFor(Tx tx, AgentId agent) {
    return PendingReplies.awaitedBy(tx, agent.value()).stream()
        .map(open ->
            new AwaitedReply(handle(tx, open.answerer()), open.since(), open.message().value()))
        .toList();
  }

  private static String names(List<AwaitedReply> awaited) {
    return awaited.stream().map(AwaitedReply::agent).distinct().collect(Collectors.joining(", "));
  }

  private static String handle(Tx tx, String principal) {
    return principal.equals(Principal.OPERATOR_NAME)
        ? principal
        : AgentTree.find(tx, principal).map(Agent::handle).orElse(principal);
  }
}
