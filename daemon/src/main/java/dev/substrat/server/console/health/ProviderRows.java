package dev.substrat.server.console.health;

import dev.substrat.console.health.HealthPage.ProviderRow;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.store.Tx;
import dev.substrat.turn.scheduling.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Provider rows of the Health page: state, and turns of the last hour.
final class ProviderRows {
  private static final Duration WHILE = Duration.ofHours(1);

  private ProviderRows() {}

  private record Past(long turns, long failed) {}

  static List<ProviderRow> of(Tx tx, Map<String, ProviderProbe> known, Slots.Use use, Instant now) {
    Map<String, Long> agents = agents(tx);
    Map<String, Past> past = past(tx, now);
    var names = new TreeSet<>(known.keySet());
    names.addAll(agents.keySet());
    return names.stream()
        .map(name -> {
          @Nullable ProviderProbe probe = known.get(name);
          Past did = past.getOrDefault(name, new Past(0, 0));
          return new ProviderRow(
              name,
              state(probe),
              tone(probe),
              detail(probe),
              probe == null || probe.hint() == null ? "" : probe.hint(),
              agents.getOrDefault(name, 0L),
              did.turns(),
              did.failed(),
              use.byProvider().getOrDefault(name, 0));
        })
        .toList();
  }

  private static String state(@Nullable ProviderProbe probe) {
    if (probe == null) {
      return "unknown";
    }
    return switch (probe.state()) {
      case READY -> "ready";
      case NEEDS_LOGIN -> "needs login";
      case MISSING -> "missing";
    };
  }

  private static String tone(@Nullable ProviderProbe probe) {
    if (probe == null) {
      return "";
    }
    return switch (probe.state()) {
      case READY -> "good";
      case NEEDS_LOGIN -> "busy";
      case MISSING -> "bad";
    };
  }

  private static String detail(@Nullable ProviderProbe probe) {
    if (probe == null) {
      return "";
    }
    return probe.version() == null ? probe.detail() : probe.version() + ", " + probe.detail();
  }

  private static Map<String, Long> agents(Tx tx) {
    var agents = new HashMap<String, Long>();
    tx.list(
            """
            select provider, count(*) as n from agent where terminated_at is null
            group by provider
            """,
            row -> Map.entry(row.text("provider"), row.number("n")))
        .forEach(pair -> agents.put(pair.getKey(), pair.getValue()));
    return agents;
  }

  private static Map<String, Past> past(Tx tx, Instant now) {
    var past = new HashMap<String, Past>();
    tx.list(
            """
            select agent.provider, count(*) as n,
              sum(case when run.status = 'failed' then 1 else 0 end) as failed
            from run join agent on agent.id = run.agent_id
            where run.id >= ? and run.turn_no > 0
            group by agent.provider
            """,
            row -> Map.entry(row.text("provider"), new Past(row.number("n"), row.number("failed"))),
            ActivityChart.firstId(now.minus(WHILE)))
        .forEach(pair -> past.put(pair.getKey(), pair.getValue()));
    return past;
  }
}
