package dev.substrat.server.console.team;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.console.NumberFormatter;
import dev.substrat.console.UsageMeter;
import dev.substrat.console.team.AgentDetail;
import dev.substrat.console.team.AgentDetail.RelatedPrincipal;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.server.console.EventSentenceWriter;
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
        agent.parent() == null ? null : relative(tx, agent.parent().value()),
        AgentTree.children(tx, agent.id()).stream().map(AgentDetailReader::relative).toList(),
        others(tx, "answerer", "asker", id),
        others(tx, "asker", "answerer", id),
        run(tx, id),
        isPaused(tx, id),
        agent.isExternal(),
        BudgetTable.above(tx, agent.id()).stream().map(AgentDetailReader::meter).toList(),
        EventSentenceWriter.all(recent),
        TerminationPreview.of(tx, agent));
  }

  public static boolean isPaused(Tx tx, String agent) {
    return tx.number("select gated as n from agent where id = ?", agent) == 1;
  }

  private static List<RelatedPrincipal> others(Tx tx, String other, String own, String id) {
    return tx
        .list(
            "select distinct %s as who from pending_reply where %s = ? and kind = 'question'"
                .formatted(other, own),
            row -> row.text("who"),
            id)
        .stream()
        .map(who -> relative(tx, who))
        .toList();
  }

  /// People have no page in the team diagram.
  private static RelatedPrincipal relative(Tx tx, String who) {
    return AgentTree.find(tx, who)
        .map(AgentDetailReader::relative)
        .orElseGet(() -> new RelatedPrincipal(who, ""));
  }

  private static RelatedPrincipal relative(Agent agent) {
    return new RelatedPrincipal(
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
                NumberFormatter.amount(budget.kind().value(budget.spent())),
                NumberFormatter.amount(budget.kind().value(budget.cap())),
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
            .formatted(NumberFormatter.amount(budget.kind().value(budget.left())))
        : "";
  }
}
