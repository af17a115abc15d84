package dev.substrat.messaging.message;

import dev.substrat.access.budget.Budget;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.identity.Principal;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import java.util.List;

/// Notices about budgets that run out: to the event log, the operator, and agents that wait for an
/// answer of an agent the budget stops. Their questions stay open: a stopped agent answers when it
/// resumes.
public final class BudgetNotices {
  /// Askers outside of the budget's subtree that wait for an agent inside. Askers inside are
  /// stopped as well, except external agents, which read their inbox themselves.
  private static final String WAITING =
      """
      with recursive below (id) as (
        select id from agent where id = ?
        union all
        select agent.id from agent join below on agent.parent_id = below.id
        where agent.terminated_at is null
      )
      select pending_reply.message_id, asker.id as asker, answerer.name as answerer
      from pending_reply
      join agent asker on asker.id = pending_reply.asker
      join agent answerer on answerer.id = pending_reply.answerer
      where pending_reply.kind = 'question'
        and answerer.id in (select id from below)
        and answerer.provider <> 'external'
        and (asker.provider = 'external' or asker.id not in (select id from below))
      order by pending_reply.message_id
      """;

  private final ReplyMatching replies;
  private final EventLog events;

  BudgetNotices(ReplyMatching replies, EventLog events) {
    this.replies = replies;
    this.events = events;
  }

  /// Reports an exhausted budget: the agents that draw on it get no turns.
  public void exhausted(Tx tx, Budget budget) {
    events.append(tx, event("budget_exhausted", budget).with("reason", budget.reason()));
    notifyOperator(
        tx,
        budget.reason()
            + ". "
            + howToRaise(budget)
            + " (until then this agent and all agents below it get no turns; their messages are queued)");
    for (WaitingQuestion one : waiting(tx, budget)) {
      String text =
          "No reply from %s for now (to message %s): %s. Your message is queued until a person raises the budget."
              .formatted(one.answerer(), one.question(), budget.reason());
      replies.sendNotice(tx, one.asker(), text, one.question());
    }
  }

  /// 80 % are used.
  public void low(Tx tx, Budget budget) {
    events.append(tx, event("budget_low", budget));
    notifyOperator(tx, "Budget: " + budget.state() + ". " + howToRaise(budget));
  }

  private static NewEvent event(String kind, Budget budget) {
    return NewEvent.of(kind)
        .about(budget.owner().value())
        .with("agent", budget.handle())
        .with("budget", budget.kind().toString())
        .with("spent", budget.kind().value(budget.spent()))
        .with("cap", budget.kind().value(budget.cap()));
  }

  /// Suggests twice the amount, so that the command can be copied.
  private static String howToRaise(Budget budget) {
    return "To raise it: ./substrat agent budget %s --%s %s"
        .formatted(budget.handle(), budget.kind(), budget.kind().value(budget.cap() * 2));
  }

  private void notifyOperator(Tx tx, String text) {
    replies.sendNotice(tx, Principal.OPERATOR_NAME, text, null);
  }

  private static List<WaitingQuestion> waiting(Tx tx, Budget budget) {
    return tx.list(
        WAITING,
        row ->
            new WaitingQuestion(
                new MessageId(row.text("message_id")), row.text("asker"), row.text("answerer")),
        budget.owner().value());
  }

  private record WaitingQuestion(MessageId question, String asker, String answerer) {}
}
