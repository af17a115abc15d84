package dev.substrat.bench.mcp;

import dev.substrat.bench.mcp.BenchmarkRow.RequestSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Rows of a real daemon on its embedded database; each client is an agent with a token.
final class DaemonBenchmarkRows {
  private final ServerProcess daemon;
  private final List<String> tokens = new ArrayList<>();

  DaemonBenchmarkRows(ServerProcess daemon, Path data) throws IOException, InterruptedException {
    this.daemon = daemon;
    var team = new BenchTeam(daemon.at(""), data);
    for (int who = 0; who < BenchmarkRow.CLIENTS; who++) {
      tokens.add(team.join("writer-" + who));
      team.join("reader-" + who);
    }
  }

  /// A daemon whose tools may call servers on loopback.
  static ServerProcess start(Path libraries, Path data) throws IOException {
    return ServerProcess.java(
        libraries,
        "dev.substrat.server.DaemonMain",
        "--port",
        "0",
        "--log",
        "warn",
        "--allow-host",
        "127.0.0.1",
        "--data",
        data.toString());
  }

  BenchmarkRow toolsList() {
    return all(
        "ours, unrecorded: tools/list of a daemon",
        BenchRequest.expecting("tools/list", "{}", "\"name\":\"send_message\""));
  }

  BenchmarkRow noop() {
    return all(
        "ours, recorded: list_children of a daemon",
        BenchRequest.expecting(
            "tools/call", "{\"name\":\"list_children\",\"arguments\":{}}", "\"isError\":false"));
  }

  private BenchmarkRow all(String name, BenchRequest question) {
    return new BenchmarkRow(
        name,
        daemon,
        "/mcp",
        tokens.stream().map(token -> new RequestSource(token, question)).toList());
  }

  /// Each agent sends messages to another one, which does not read them.
  BenchmarkRow sendMessage() {
    var askers = new ArrayList<RequestSource>();
    for (int who = 0; who < tokens.size(); who++) {
      String params =
          """
          {"name":"send_message","arguments":{"recipient":"reader-%d","text":"hello","sync":false}}\
          """
              .formatted(who);
      var question = BenchRequest.expecting("tools/call", params, "\"isError\":false");
      askers.add(new RequestSource(tokens.get(who), question));
    }
    return new BenchmarkRow("ours, durable: send_message of a daemon", daemon, "/mcp", askers);
  }
}
