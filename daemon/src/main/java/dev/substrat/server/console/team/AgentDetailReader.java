package dev.substrat.server.console.team;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.console.NumberText;
import dev.substrat.console.UsageMeter;
import dev.substrat.console.team.AgentDetail;
import dev.substrat.console.team.AgentDetail.Relatives;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.EventSentences;
import dev.substrat.server.console.agents.AgentList;
import dev.substrat.server.console.agents.TerminationPreview;
import dev.substrat.store.Tx;
import dev.substrat.store.event.Event;
import dev.substrat.team.Agent;
import dev.substrat.team.AgentTree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the details of an agent on the Team page.
public final class AgentDetailReader {
  private AgentDetailReader() {}

  static AgentDetail at(Tx tx, Agent agent, List<Event> recent) {
    String id = agent.id().value();
    return new AgentDetail(
        AgentList.find(tx, agent.id()).orElseThrow(),
        agent.parent() == null ? null : near(tx, agent.parent().value()),
        AgentTree.children(tx, agent.id()).stream().map(AgentDetailReader::near).toList(),
        others(tx, "answerer", "asker", id),
        others(tx, "asker", "answerer", id),
        run(tx, id),
        isPaused(tx, id),
        agent.isExternal(),
        BudgetTable.above(tx, agent.id()).stream().map(AgentDetailReader::meter).toList(),
        EventSentences.all(recent),
        TerminationPreview.of(tx, agent));
  }

  public static boolean isPaused(Tx tx, String agent) {
    return tx.number("select gated as n from agent where id = ?", agent) == 1;
  }

  private static List<Relatives> others(Tx tx, String other, String own, String id) {
    return tx
        .list(
            "select distinct %s as who from pending_reply where %s = ? and kind = 'question'"
                .formatted(other, own),
            row -> row.text("who"),
            id)
        .stream()
        .map(who -> near(tx, who))
        .toList();
  }

  /// People have no page in the team diagram.
  private static Relatives near(Tx tx, String who) {
    return AgentTree.find(tx, who)
        .map(AgentDetailReader::near)
        .orElseGet(() -> new Relatives(who, ""));
  }

  private static Relatives near(Agent agent) {
    return new Relatives(
        DisplayNames.displayName(agent.name(), agent.handle()), "/team?who=" + agent.handle());
  }

  private static @Nullable String run(Tx tx, String agent) {
    return tx.find(
            "select id from run where agent_id = ? and status in ('running', 'open')",
            row -> "/runs/" + row.text("id"),
            agent)
        .orElse(null);
  }

  public static UsageMeter meter(Budget budget) {
    return UsageMeter.of(
        budget.handle(),
        "%s of %s %s%s"
            .formatted(
                NumberText.amount(budget.kind().value(budget.spent())),
                NumberText.amount(budget.kind().value(budget.cap())),
                budget.kind().unit(),
                rest(budget)),
        budget.cap(),
        budget.spent(),
        budget.reserved(),
        budget.isExhausted());
  }

  /// Explanation for a budget that is exhausted before it reaches zero.
  private static String rest(Budget budget) {
    return budget.isExhausted() && budget.left() > 0
        ? "; the remaining %s is less than the next step may need"
            .formatted(NumberText.amount(budget.kind().value(budget.left())))
        : "";
  }
}
