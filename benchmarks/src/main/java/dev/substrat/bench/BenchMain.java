package dev.substrat.bench;

import dev.substrat.bench.cluster.ClusterBench;
import dev.substrat.bench.console.ConsoleBench;
import dev.substrat.bench.console.PagesBench;
import dev.substrat.bench.mcp.GatewayBench;
import dev.substrat.bench.mcp.McpBench;
import dev.substrat.bench.search.SearchBench;
import dev.substrat.platform.log.LogLineFormatter;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `./bench`: runs benchmarks and shows their figures.
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    header = {"Examples:", "  ./bench            # all", "  ./bench team", ""},
    description = "Measures Substrat and comparable programs in one run, and prints the ratios.")
final class BenchMain implements Callable<Integer> {
  private static final List<String> ALL =
      List.of("store", "team", "bridge", "mcp", "gateway", "search", "console", "cluster", "pages");

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description =
          "store, team, bridge, mcp, gateway, search, console, cluster, pages (default: all)")
  private List<String> names = List.of();

  @Option(
      names = "--seconds",
      defaultValue = "2",
      description = "Seconds per figure and round (default: 2).")
  private int seconds;

  @Option(
      names = "--rounds",
      defaultValue = "5",
      description = "Number of measured rounds (default: 5).")
  private int rounds;

  @Option(
      names = "--out",
      defaultValue = "benchmarks/results",
      description = "Output directory for JSON and images (default: benchmarks/results).")
  private Path out = Path.of("benchmarks/results");

  public static void main(String... args) {
    LogLineFormatter.install("warn");
    System.exit(new CommandLine(new BenchMain()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    for (String name : names.isEmpty() ? ALL : names) {
      BenchmarkReport report = report(name);
      report.print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
      report.write(out);
    }
    return 0;
  }

  private BenchmarkReport report(String name) throws Exception {
    return switch (name) {
      case "store" -> new StoreBench(Duration.ofSeconds(seconds), rounds).run();
      case "team" -> new TeamBench(Duration.ofSeconds(seconds), rounds).run();
      case "bridge" -> new BridgeBench(rounds).run();
      case "mcp" -> new McpBench(Duration.ofSeconds(seconds), rounds).run();
      case "gateway" -> new GatewayBench(Duration.ofSeconds(seconds), rounds).run();
      case "search" -> new SearchBench(rounds).run();
      case "console" -> new ConsoleBench(rounds).run();
      case "cluster" -> new ClusterBench(Duration.ofSeconds(seconds), rounds).run();
      case "pages" -> new PagesBench(rounds).run();
      default -> throw new IllegalArgumentException("there is no benchmark " + name);
    };
  }
}
