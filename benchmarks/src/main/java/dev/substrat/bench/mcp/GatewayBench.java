package dev.substrat.bench.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.bench.BenchmarkFigure;
import dev.substrat.bench.BenchmarkReport;
import dev.substrat.bench.NodePrograms;
import dev.substrat.bench.mcp.BenchmarkRow.RequestSource;
import dev.substrat.platform.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Benchmark of remote tool calls through a daemon, compared with direct calls and with a proxy
/// from npm in front of the same server, which records nothing.
///
/// Duration is measured with the official client and over plain sockets, where a client costs
/// nothing. Rate is measured over plain sockets, because sixteen real clients would use the whole
/// machine.
public final class GatewayBench {
  /// A daemon runs for days; the compiler is at work for the first minute.
  private static final int WARM_UPS = 12;

  private static final double MAX_RATIO_READ = 2;

  /// A write call waits for one durable commit.
  private static final double MAX_RATIO_WRITE = 3;

  private static final double MIN_RATIO_TO_PROXY = 5;
  private static final Path OURS = Path.of("target", "bench");

  private final Duration time;
  private final int rounds;
  private final List<ServerProcess> open = new ArrayList<>();
  private final List<BenchmarkRow> contenders = new ArrayList<>();

  public GatewayBench(Duration time, int rounds) {
    this.time = time;
    this.rounds = rounds;
  }

  public BenchmarkReport run() throws Exception {
    try {
      return measured();
    } finally {
      for (ServerProcess one : open.reversed()) {
        one.close();
      }
    }
  }

  private BenchmarkReport measured() throws Exception {
    Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "bench-");
    ServerProcess upstream = upstream(folder);
    BenchRequest echo = BenchRequest.echo();
    BenchmarkRow direct = add(BenchmarkRow.open("direct, 16 clients", upstream, "/mcp", echo));
    BenchmarkRow alone = add(one("direct, one client", upstream, new RequestSource(null, echo)));
    ServerProcess daemon = opened(DaemonBenchmarkRows.start(OURS, folder.resolve("data")));
    List<String> tokens = join(daemon, folder.resolve("data"), upstream.at("/mcp"));
    var reading =
        new GatewayVariant(
            "read call through a daemon", MAX_RATIO_READ, daemon, tokens, BenchRequest.read());
    var writing =
        new GatewayVariant("write call through a daemon", MAX_RATIO_WRITE, daemon, tokens, echo);
    var peers = new ArrayList<BenchmarkRow>();
    String missing = addProxy(peers, upstream.at("/mcp"), echo);
    rounds();
    var figures = new ArrayList<>(contenders.stream().map(BenchmarkRow::rate).toList());
    if (!missing.isEmpty()) {
      return new BenchmarkReport("gateway", "calls/s", direct.rate(), figures)
          .noting(reading.bareLatency(alone.rate()))
          .noting(writing.bareLatency(alone.rate()))
          .noting(missing);
    }
    var client = new OfficialClient();
    BenchmarkFigure plain =
        client.add("direct, official client", upstream.at("/mcp"), null, "echo");
    reading.seenBy(client, "read");
    writing.seenBy(client, "echo");
    System.err.println("gateway: the official client");
    client.measure(time, WARM_UPS, rounds);
    figures.addAll(client.rates());
    var report = new BenchmarkReport("gateway", "calls/s", direct.rate(), figures);
    report.noting(reading.latency(plain)).noting(writing.latency(plain));
    for (GatewayVariant way : List.of(reading, writing)) {
      peers.forEach(peer -> report.noting(way.throughput(peer.rate())));
    }
    return report
        .noting(reading.bareLatency(alone.rate()))
        .noting(writing.bareLatency(alone.rate()));
  }

  private ServerProcess upstream(Path folder) throws IOException {
    String socket = folder.resolve("echo.sock").toString();
    return opened(ServerProcess.java(OURS, EchoServer.class.getName(), socket));
  }

  /// Tokens of agents that have the tools of the upstream.
  private static List<String> join(ServerProcess daemon, Path data, URI upstream)
      throws IOException, InterruptedException {
    var team = new BenchTeam(daemon.at(""), data);
    var tokens = new ArrayList<String>();
    for (int who = 0; who < BenchmarkRow.CLIENTS; who++) {
      tokens.add(team.join("caller-" + who, upstream));
    }
    return tokens;
  }

  private static BenchmarkRow one(String name, ServerProcess server, RequestSource asker) {
    return new BenchmarkRow(name, server, "/mcp", List.of(asker));
  }

  /// Why there is none, if so.
  private String addProxy(List<BenchmarkRow> found, URI upstream, BenchRequest echo)
      throws IOException, InterruptedException {
    try {
      var words = new ArrayList<>(NodePrograms.command("proxy-http.mjs"));
      words.add(upstream.toString());
      ServerProcess node = opened(ServerProcess.start(words));
      found.add(
          add(BenchmarkRow.open("through mcp-proxy on Node, 16 clients", node, "/mcp", echo)));
      return "";
    } catch (NodePrograms.ProgramMissingException missing) {
      return "mcp-proxy: skipped, because " + missing.getMessage();
    }
  }

  private ServerProcess opened(ServerProcess server) {
    open.add(server);
    return server;
  }

  private BenchmarkRow add(BenchmarkRow contender) {
    contenders.add(contender);
    return contender;
  }

  private void rounds() throws Exception {
    for (int round = 1 - WARM_UPS; round <= rounds; round++) {
      System.err.printf("gateway: round %d of %d%n", round, rounds);
      for (BenchmarkRow contender : contenders) {
        if (round < 1) {
          contender.warmUp(time);
        } else {
          contender.measure(time);
        }
      }
    }
  }

  /// Calls of one tool through a daemon: of many clients, and of one that sends the next request as
  /// soon as it has an answer.
  private final class GatewayVariant {
    private final String name;
    private final double maxRatio;
    private final BenchmarkRow many;
    private final BenchmarkRow one;
    private final RequestSource asker;
    private final URI url;
    private BenchmarkFigure seen = new BenchmarkFigure("not seen");

    GatewayVariant(
        String name,
        double maxRatio,
        ServerProcess daemon,
        List<String> tokens,
        BenchRequest question) {
      List<RequestSource> askers =
          tokens.stream().map(token -> new RequestSource(token, question)).toList();
      this.name = name;
      this.maxRatio = maxRatio;
      this.many = add(new BenchmarkRow(name + ", 16 clients", daemon, "/mcp", askers));
      this.asker = askers.getFirst();
      this.url = daemon.at("/mcp");
      this.one = add(one(name + ", one client", daemon, asker));
    }

    void seenBy(OfficialClient client, String tool) {
      seen = client.add(name + ", official client", url, asker.token(), tool);
    }

    String latency(BenchmarkFigure direct) {
      return times(direct.ratioTo(seen), "with the official client");
    }

    String bareLatency(BenchmarkFigure direct) {
      return times(direct.ratioTo(one.rate()), "over bare sockets");
    }

    private String times(double ratio, String how) {
      return String.format(
          Locale.ROOT,
          "%s: %.2fx the time of a direct call %s (bar: at most %.1fx%s)",
          name,
          ratio,
          how,
          maxRatio,
          ratio <= maxRatio ? "" : ", MISSED");
    }

    String throughput(BenchmarkFigure peer) {
      double ratio = many.rate().ratioTo(peer);
      return String.format(
          Locale.ROOT,
          "%s: %.2fx the calls per second of mcp-proxy (bar: at least %.0fx%s)",
          name,
          ratio,
          MIN_RATIO_TO_PROXY,
          ratio >= MIN_RATIO_TO_PROXY ? "" : ", MISSED");
    }
  }

  /// The TypeScript SDK as a client, which most MCP clients use. It sends the next request as soon
  /// as the previous one is answered.
  private static final class OfficialClient {
    private final List<Variant> ways = new ArrayList<>();

    /// One tool of one server, and how often it was answered per second.
    record Variant(BenchmarkFigure rate, URI url, @Nullable String token, String tool) {}

    BenchmarkFigure add(String name, URI url, @Nullable String token, String tool) {
      var rate = new BenchmarkFigure(name);
      ways.add(new Variant(rate, url, token, tool));
      return rate;
    }

    List<BenchmarkFigure> rates() {
      return ways.stream().map(Variant::rate).toList();
    }

    void measure(Duration time, int warmUps, int rounds) throws IOException, InterruptedException {
      var words = new ArrayList<>(NodePrograms.command("client-http.mjs"));
      words.add(String.valueOf(time.toMillis() / 1e3));
      words.add(String.valueOf(warmUps));
      words.add(String.valueOf(rounds));
      var builder = new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT);
      // Not as an argument, which every user of the machine can read.
      builder.environment().put("WAYS", Json.text(asked()));
      Process process = builder.start();
      try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
        for (String line = out.readLine(); line != null; line = out.readLine()) {
          JsonNode said = Json.own(line);
          ways.get(said.path("way").asInt()).rate().add(said.path("rate").asDouble());
        }
      } catch (IOException | RuntimeException e) {
        process.destroy();
        throw e;
      }
      if (process.waitFor() != 0) {
        throw new IllegalStateException("the official client gave up");
      }
    }

    private JsonNode asked() {
      var all = Json.object().putArray("ways");
      for (Variant way : ways) {
        all.addObject()
            .put("url", way.url().toString())
            .put("token", way.token())
            .put("tool", way.tool());
      }
      return all;
    }
  }
}
