package dev.substrat.page;

import dev.substrat.budget.Budget;
import dev.substrat.budget.BudgetTable;
import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.AgentsPage.Order;
import dev.substrat.console.agents.AgentsPage.Search;
import dev.substrat.console.agents.Condition;
import dev.substrat.id.AgentId;
import dev.substrat.inbox.Inbox;
import dev.substrat.json.Json;
import dev.substrat.store.Row;
import dev.substrat.store.Tx;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Agents as a page lists them. One question to the database for all of them, because a list of a
/// hundred is asked for again with everything that happens.
final class Roster {
  /// More than anybody looks through; searching finds the rest.
  private static final int MOST = 120;

  private Roster() {}

  static List<AgentCard> found(Tx tx, Search search) {
    String like = "%" + escaped(search.words().strip().toLowerCase(Locale.ROOT)) + "%";
    return tx.list(
        select(tx)
            + """
            where agent.terminated_at is null
              and (lower(agent.name) like ? escape '!' or agent.handle like ? escape '!'
                or lower(agent.description) like ? escape '!')
            order by %s limit ?
            """
                .formatted(sql(search.order())),
        row -> card(tx, row),
        like,
        like,
        like,
        MOST);
  }

  /// All who are alive, whoever came first first, at most `limit`.
  static List<AgentCard> all(Tx tx, int limit) {
    return tx.list(
        select(tx) + " where agent.terminated_at is null order by agent.id limit ?",
        row -> card(tx, row),
        limit);
  }

  /// One of them, also if it has ended.
  static Optional<AgentCard> find(Tx tx, AgentId agent) {
    return tx.find(select(tx) + " where agent.id = ?", row -> card(tx, row), agent.value());
  }

  static long count(Tx tx) {
    return tx.number("select count(*) as n from agent where terminated_at is null");
  }

  private static String select(Tx tx) {
    return """
    select agent.id, agent.handle, agent.name, agent.description, agent.role, agent.provider,
      agent.config, agent.gated, agent.terminated_at,
      case when agent.lease_until > %s then 1 else 0 end as busy,
      (select count(*) from pending_reply
       where asker = agent.id and kind = 'question') as asking,
      (select count(*) from inbox_event
       where agent_id = agent.id and %s) as waiting,
      (select count(*) from pending_call
       where owner = agent.id and status in ('pending', 'asking')) as approvals,
      (select at from event where event.agent_id = agent.id order by seq desc limit 1) as active
    from agent
    """
        .formatted(tx.dialect().now(), Inbox.WAITS);
  }

  private static String escaped(String words) {
    return words.replace("!", "!!").replace("%", "!%").replace("_", "!_");
  }

  private static String sql(Order order) {
    return switch (order) {
      case NAME -> "lower(agent.name), agent.id";
      case ACTIVE -> "active desc nulls last, agent.id";
      case WAITING -> "waiting desc, lower(agent.name), agent.id";
    };
  }

  private static AgentCard card(Tx tx, Row row) {
    return new AgentCard(
        row.text("id"),
        row.text("handle"),
        row.text("name"),
        row.text("description"),
        row.text("role"),
        mind(row),
        condition(tx, row),
        row.instantOrNull("active"),
        row.number("waiting"),
        row.number("approvals"));
  }

  private static String mind(Row row) {
    String model = Json.own(row.text("config")).path("provider").path("model").asText("");
    return model.isEmpty() ? row.text("provider") : row.text("provider") + " / " + model;
  }

  private static Condition condition(Tx tx, Row row) {
    if (row.instantOrNull("terminated_at") != null) {
      return Condition.terminated();
    }
    Optional<Budget> stop = BudgetTable.findStop(tx, new AgentId(row.text("id")));
    if (stop.isPresent()) {
      return Condition.stopped(stop.get().reason());
    }
    if (row.flag("busy")) {
      return Condition.busy();
    }
    if (row.flag("gated")) {
      return Condition.gated();
    }
    return row.number("asking") > 0 ? Condition.waiting() : Condition.idle();
  }
}
