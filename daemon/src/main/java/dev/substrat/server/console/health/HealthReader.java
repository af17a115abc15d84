package dev.substrat.server.console.health;

import dev.substrat.access.budget.Budget;
import dev.substrat.access.budget.BudgetTable;
import dev.substrat.console.NumberFormatter;
import dev.substrat.console.health.HealthPage.BudgetRow;
import dev.substrat.console.health.HealthPage.DaemonFacts;
import dev.substrat.console.health.HealthPage.FullInbox;
import dev.substrat.console.health.HealthPage.QueueSummary;
import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.platform.identity.Uuid7;
import dev.substrat.server.console.team.AgentDetailReader;
import dev.substrat.store.Tx;
import dev.substrat.turn.engine.Engine;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads queue, budgets and process values of the Health page.
final class HealthReader {
  private static final int DEEPEST = 6;
  private static final int BUDGETS = 60;

  private HealthReader() {}

  static QueueSummary queue(Tx tx) {
    return tx.list(
            """
            select count(*) as n, coalesce(sum(held), 0) as held, min(id) as oldest
            from inbox_event where %s
            """
                .formatted(Inbox.WAITS),
            row ->
                new QueueSummary(
                    row.number("n"),
                    row.number("held") + heldRounds(tx),
                    since(row.textOrNull("oldest")),
                    deepest(tx)))
        .getFirst();
  }

  /// Held wake-ups have no inbox events yet.
  private static long heldRounds(Tx tx) {
    return tx.number("select count(*) as n from space_round where state = 'held'");
  }

  private static @Nullable Instant since(@Nullable String id) {
    return id == null ? null : Uuid7.createdAt(id);
  }

  private static List<FullInbox> deepest(Tx tx) {
    List<FullInbox> found =
        tx.list(
            """
            select agent.handle, deep.n
            from (select agent_id, count(*) as n from inbox_event where %s group by agent_id) deep
            join agent on agent.id = deep.agent_id
            order by deep.n desc, agent.handle limit ?
            """
                .formatted(Inbox.WAITS),
            row -> {
              String agent = row.text("handle");
              return new FullInbox(agent, "/team?who=" + agent, row.number("n"), 100);
            },
            DEEPEST);
    return found.stream()
        .map(one -> {
          double share = Math.round(1_000.0 * one.waiting() / found.getFirst().waiting()) / 10.0;
          return new FullInbox(one.agent(), one.path(), one.waiting(), share);
        })
        .toList();
  }

  static List<BudgetRow> budgets(Tx tx) {
    return BudgetTable.tightest(tx, BUDGETS).stream().map(HealthReader::row).toList();
  }

  private static BudgetRow row(Budget budget) {
    return new BudgetRow(
        budget.handle(),
        "/team?who=" + budget.handle(),
        budget.kind().toString(),
        budget.kind().unit(),
        budget.kind().value(budget.cap()).toPlainString(),
        AgentDetailReader.meter(budget));
  }

  static DaemonFacts machine(Engine engine, String url) {
    Runtime runtime = Runtime.getRuntime();
    long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    var uptime = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
    return new DaemonFacts(
        engine.dependencies().database().dialect().name().toLowerCase(Locale.ROOT),
        "%d of %d MB".formatted(used, runtime.maxMemory() >> 20),
        uptime.toHours() > 0
            ? "%d h %d min".formatted(uptime.toHours(), uptime.toMinutesPart())
            : NumberFormatter.time(uptime),
        engine.events().last(),
        engine.dependencies().telemetry().isExporting(),
        url);
  }
}
