package dev.substrat.server;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/// The page docs/internals/soak.md.
final class SoakReport {
  private SoakReport() {}

  static String of(Duration length, long seed, List<Soak> soaks) {
    var text = new StringBuilder();
    text.append(
        """
        # Soak test

        Written by `SoakTest` when it runs at full size (`./verify --full`). A team of scripted
        agents, people, MCP clients, readers of the event stream and a browser on the console work
        with one daemon on SQLite, and at the same time with two daemons on one PostgreSQL.
        Accidents happen at random times. At the end all work must be done: the invariants of
        [ARCHITECTURE.md](../../ARCHITECTURE.md#how-we-test) hold, the event streams have no gap,
        and the daemon that lived longest has not grown.

        Length: %d minutes. Seed: %d (`-Dsubstrat.seed=%d` repeats the times of the accidents).

        ## Work and accidents

        | | %s |
        |---|%s
        """
            .formatted(
                length.toMinutes(),
                seed,
                seed,
                String.join(" | ", soaks.stream().map(Soak::name).toList()),
                "--:|".repeat(soaks.size())));
    soaks
        .getFirst()
        .figures()
        .keySet()
        .forEach(key -> {
          text.append("| ").append(key);
          soaks.forEach(soak -> text.append(" | ").append(soak.figures().get(key)));
          text.append(" |\n");
        });
    text.append(
        """

        Jumps of the clock are left to `SimulationTest`: a process has the clock of its machine.

        ## Size of the daemon that lived longest

        Medians of the first and the last third of its life, after a warm-up.

        | daemon | quantity | samples | first third | last third | allowed |
        |---|---|--:|--:|--:|--:|
        """);
    for (Soak soak : soaks) {
      List<ProcessSize> sizes = soak.longestLife();
      if (sizes.isEmpty()) {
        continue;
      }
      for (ProcessSize.Bound bound : ProcessSize.BOUNDS) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %s | %d | %,d | %,d | %,d |\n",
                soak.name(),
                bound.name(),
                sizes.size(),
                bound.first(sizes),
                bound.last(sizes),
                (long) (bound.first(sizes) * bound.factor() + bound.more())));
      }
    }
    text.append("\n## Findings\n\n");
    soaks.forEach(soak ->
        text.append(
            "* %s: %s\n"
                .formatted(
                    soak.name(),
                    soak.findings().isEmpty()
                        ? "none"
                        : String.join("; ", soak.findings()).toLowerCase(Locale.ROOT))));
    return text.toString();
  }
}
