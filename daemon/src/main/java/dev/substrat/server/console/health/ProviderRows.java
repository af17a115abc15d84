package dev.substrat.server.console.health;

import dev.substrat.console.health.HealthPage.ProviderRow;
import dev.substrat.provider.ProviderProbe;
import dev.substrat.server.health.ActivityMinutes.Total;
import dev.substrat.store.Tx;
import dev.substrat.turn.scheduling.Slots;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Provider rows of the Health page: state, and turns of the last hour.
final class ProviderRows {
  private ProviderRows() {}

  private record TurnCounts(long turns, long failed) {}

  static List<ProviderRow> of(
      Tx tx, Map<String, ProviderProbe> known, Slots.SlotUsage use, List<Total> totals) {
    Map<String, Long> agents = agents(tx);
    var names = new TreeSet<>(known.keySet());
    names.addAll(agents.keySet());
    return names.stream()
        .map(name -> {
          @Nullable ProviderProbe probe = known.get(name);
          TurnCounts did = past(name, totals);
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

  private static TurnCounts past(String provider, List<Total> totals) {
    long turns = 0;
    long failed = 0;
    for (Total total : totals) {
      if (total.provider().equals(provider)) {
        turns += total.turns();
        failed += total.failed();
      }
    }
    return new TurnCounts(turns, failed);
  }
}
