package dev.substrat.bench;

import dev.substrat.platform.config.DaemonSettings;
import dev.substrat.server.Daemon;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Benchmark of the start of an MCP server on stdio until its answer to `initialize`.
final class BridgeBench {
  private static final int STARTS_PER_ROUND = 8;
  private static final byte[] INITIALIZE =
      """
      {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",\
      "capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}
      """
          .getBytes(StandardCharsets.UTF_8);

  private final int starts;

  BridgeBench(int rounds) {
    this.starts = rounds * STARTS_PER_ROUND;
  }

  BenchmarkReport run() throws Exception {
    // Builds it on first use.
    new ProcessBuilder("./substrat", "mcp", "--help")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-");
    Path data = folder.resolve("data");
    var settings = new DaemonSettings("127.0.0.1", 0, data, null, 1, "warn", Set.of());
    try (var daemon = Daemon.start(settings, Map.of())) {
      createAgent(daemon.url(), Files.readString(data.resolve("operator.token")).strip());
      var up = new BenchmarkFigure("./substrat mcp, daemon up");
      var alone = new BenchmarkFigure("./substrat mcp, daemon not there");
      try {
        var sdk = new BenchmarkFigure("TypeScript SDK stdio server");
        compare(
            Map.of(
                up,
                bridge(data),
                alone,
                bridge(folder.resolve("empty")),
                sdk,
                NodePrograms.command("echo-server.mjs")));
        return new BenchmarkReport("bridge", "ms (p50)", sdk, List.of(sdk, up, alone))
            .noting(
                String.format(
                    Locale.ROOT,
                    "cold start to the TypeScript SDK's: %.2fx (bar: at most 0.25x), %d starts each",
                    up.ratioTo(sdk),
                    starts));
      } catch (NodePrograms.ProgramMissingException missing) {
        compare(Map.of(up, bridge(data), alone, bridge(folder.resolve("empty"))));
        return new BenchmarkReport("bridge", "ms (p50)", up, List.of(up, alone))
            .noting("TypeScript SDK: skipped, because " + missing.getMessage());
      }
    }
  }

  private static List<String> bridge(Path data) {
    return List.of(
        Path.of("substrat").toAbsolutePath().toString(),
        "mcp",
        "--agent",
        "mira",
        "--data",
        data.toString());
  }

  private static void createAgent(String url, String token)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(url + "/api/agents"))
            .header("Authorization", "Bearer " + token)
            .POST(
                BodyPublishers.ofString("{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}"))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      if (http.send(request, BodyHandlers.discarding()).statusCode() != 201) {
        throw new IllegalStateException("the daemon made no agent");
      }
    }
  }

  /// Alternating, so that a temporary slowdown of the machine affects all.
  private void compare(Map<BenchmarkFigure, List<String>> commands)
      throws IOException, InterruptedException {
    var figures = new ArrayList<>(commands.keySet());
    for (int start = -2; start < starts; start++) {
      if (start % STARTS_PER_ROUND == 0) {
        System.err.printf("bridge: start %d of %d%n", start, starts);
      }
      for (BenchmarkFigure figure : figures) {
        double milliseconds = untilAnswered(commands.getOrDefault(figure, List.of()));
        if (start >= 0) {
          figure.add(milliseconds);
        }
      }
    }
  }

  private static double untilAnswered(List<String> command)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (var in = process.getOutputStream();
        var out =
            new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      in.write(INITIALIZE);
      in.flush();
      String line = out.readLine();
      long end = System.nanoTime();
      if (line == null || !line.contains("\"protocolVersion\"")) {
        throw new IllegalStateException(command + " answered " + line);
      }
      return (end - start) / 1e6;
    } finally {
      process.destroy();
      process.waitFor();
    }
  }
}
