package dev.substrat.server.console.agents;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.console.agents.AgentCard;
import dev.substrat.console.agents.AgentsPage.AgentSearch;
import dev.substrat.console.agents.AgentsPage.AgentSortOrder;
import dev.substrat.console.agents.ConditionBadge;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.console.DisplayNames;
import dev.substrat.store.ResultRow;
import dev.substrat.store.Tx;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads the agents of a page with one query: the list is refreshed on every event.
public final class AgentList {
  /// Page size; one more row is read to detect a next page.
  static final int MAX_COUNT = 120;

  private static final String NONE_BEFORE = "and ? = ''";

  /// Cursor: agents after the last one of the previous page, by name.
  private static final String AFTER =
      """
      and (lower(agent.name), agent.id)
        > (select lower(last.name), last.id from agent last where last.id = ?)
      """;

  private AgentList() {}

  static List<AgentCard> found(Tx tx, AgentSearch search) {
    Map<String, Budget> stops = BudgetTable.stops(tx);
    String like = "%" + escaped(search.words().strip().toLowerCase(Locale.ROOT)) + "%";
    return tx.list(
        select(tx)
            + """
            where %s
              %s
              and (lower(agent.name) like ? escape '!' or agent.handle like ? escape '!'
                or lower(agent.description) like ? escape '!')
            order by %s limit ?
            """
                .formatted(
                    search.includesTerminated() ? "1 = 1" : "agent.terminated_at is null",
                    search.after().isEmpty() ? NONE_BEFORE : AFTER,
                    sql(search.order())),
        row -> card(stops, row),
        search.after(),
        like,
        like,
        like,
        MAX_COUNT + 1);
  }

  /// Agents with these ids, oldest first.
  public static List<AgentCard> among(Tx tx, Collection<String> ids) {
    Map<String, Budget> stops = BudgetTable.stops(tx);
    return tx.list(
        select(tx)
            + " where agent.id in (select value from %s) order by agent.id"
                .formatted(tx.dialect().members()),
        row -> card(stops, row),
        Json.text(ids));
  }

  /// One agent, also if it is terminated.
  public static Optional<AgentCard> find(Tx tx, AgentId agent) {
    Map<String, Budget> stops = new HashMap<>();
    BudgetTable.findStop(tx, agent).ifPresent(stop -> stops.put(agent.value(), stop));
    return tx.find(select(tx) + " where agent.id = ?", row -> card(stops, row), agent.value());
  }

  /// Names by handle, of agents whose name or handle contains all these words.
  public static Map<String, String> called(Tx tx, String words, int limit) {
    var found = new LinkedHashMap<String, String>();
    String like =
        "%" + String.join("%", escaped(words.toLowerCase(Locale.ROOT)).split("\\s+")) + "%";
    tx.list(
            """
            select handle, name from agent
            where terminated_at is null
              and (lower(name) like ? escape '!' or handle like ? escape '!')
            order by lower(name), id limit ?
            """,
            row -> Map.entry(row.text("handle"), row.text("name")),
            like,
            like,
            limit)
        .forEach(one -> found.put(one.getKey(), one.getValue()));
    return found;
  }

  public static boolean isCalled(String name, String words) {
    String own = name.toLowerCase(Locale.ROOT);
    return Stream.of(words.toLowerCase(Locale.ROOT).split("\\s+")).allMatch(own::contains);
  }

  public static long count(Tx tx) {
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
       where owner = agent.id and status in ('pending', 'asking') and display <> '{}') as approvals,
      (select at from event
       where event.agent_no = (select no from event_entity where event_entity.id = agent.id)
       order by seq desc limit 1) as active
    from agent
    """
        .formatted(tx.dialect().now(), Inbox.WAITS);
  }

  private static String escaped(String words) {
    return words.replace("!", "!!").replace("%", "!%").replace("_", "!_");
  }

  private static String sql(AgentSortOrder order) {
    return switch (order) {
      case NAME -> "lower(agent.name), agent.id";
      case ACTIVE -> "active desc nulls last, agent.id";
      case WAITING -> "waiting desc, lower(agent.name), agent.id";
    };
  }

  private static AgentCard card(Map<String, Budget> stops, ResultRow row) {
    return new AgentCard(
        row.text("id"),
        row.text("handle"),
        row.text("name"),
        DisplayNames.displayName(row.text("name"), row.text("handle")),
        row.text("description"),
        row.text("role"),
        providerAndModel(row),
        condition(stops, row),
        row.instantOrNull("active"),
        row.number("waiting"),
        row.number("approvals"));
  }

  private static String providerAndModel(ResultRow row) {
    String model = Json.own(row.text("config")).path("provider").path("model").asText("");
    return model.isEmpty() ? row.text("provider") : row.text("provider") + " / " + model;
  }

  private static ConditionBadge condition(Map<String, Budget> stops, ResultRow row) {
    if (row.instantOrNull("terminated_at") != null) {
      return ConditionBadge.terminated();
    }
    @Nullable Budget stop = stops.get(row.text("id"));
    if (stop != null) {
      return ConditionBadge.stopped(stop.reason());
    }
    if (row.flag("busy")) {
      return ConditionBadge.busy();
    }
    if (row.flag("gated")) {
      return ConditionBadge.gated();
    }
    return row.number("asking") > 0 ? ConditionBadge.waiting() : ConditionBadge.idle();
  }
}
