package dev.substrat.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.platform.json.Yaml;
import dev.substrat.team.toolconfig.EchoedSecret;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A daemon with a secret in every place that may contain one, and services and servers that echo
/// it: no response, log line, event or database row contains it.
@Requirement("S3-16")
@Timeout(180)
final class SecretLeakTest {
  private static final String SECRET = "canary-5e1f77";
  private static final String KEY = "headers: { X-Key: '${env.KEY}' }";

  /// With the type of the tool in front.
  private static final List<String> TOOLS =
      List.of(
          "gateway, execution: { url: 'SERVICE/x/${env.KEY}', headers: { Authorization: 'Bearer ${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/x?key=${env.KEY}', queryParams: { again: '${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/x', method: POST, body: { key: '${env.KEY}' } }",
          "gateway, execution: { url: 'SERVICE/text', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/lines', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/refuse', " + KEY + " }",
          "gateway, execution: { url: 'http://127.0.0.1:1/${env.KEY}', " + KEY + " }",
          "gateway, execution: { url: 'http://10.0.0.1/${env.KEY}', " + KEY + " }",
          "gateway, execution: { url: 'http://${env.KEY}.internal/', " + KEY + " }",
          "gateway, execution: { url: 'SERVICE/${env.KEY}/{{input.gone}}' }",
          "external, execution: { webhookUrl: 'SERVICE/x', " + KEY + " }",
          "external, execution: { url: 'SERVICE/x', callback: true, " + KEY + " }",
          "external, execution: { url: 'SERVICE/refuse', callback: true, " + KEY + " }",
          "gateway, execution: { provider: openai, baseUrl: SERVICE, apiKey: '${env.KEY}' }",
          "gateway, execution: { provider: openai, baseUrl: SERVICE/refuse, apiKey: '${env.KEY}' }",
          "gateway, execution: { provider: openai, baseUrl: 'http://${env.KEY}.internal/v1', apiKey: '${env.KEY}' }",
          "gateway, execution: { agentConfig: { name: thinker, provider: THINKS } }",
          "internal, execution: { value: { key: '${env.KEY}' } }");

  private static final String[] FLAGS = {
    "--port=0", "--log=debug", "--allow-env=KEY", "--allow-host=127.0.0.1"
  };

  private static final String THINKS =
      "{ name: openai, model: fake-1, baseUrl: SERVICE/refuse, apiKey: '${env.KEY}' }";

  private final List<String> told = new ArrayList<>();
  private final EventHistory history = new EventHistory();

  private static String config(EchoingService parrot, FakeMcpServer server) {
    var yaml = new StringBuilder("name: ada\ntools:\n");
    var steps = new StringBuilder("{ call: enter_space, with: { spaceId: lab } }");
    for (int i = 0; i < TOOLS.size(); i++) {
      yaml.append(
          "  - { name: t%d, description: d, middleware: [log], executionType: %s }\n"
              .formatted(i, TOOLS.get(i)));
      steps.append(", { call: t%d, with: { prompt: a boat } }".formatted(i));
    }
    return (yaml
            + """
            mcp:
              servers:
                - { name: met, url: 'SERVER?key=${env.KEY}', headers: { Authorization: 'Bearer ${env.KEY}' } }
                - { name: inner, url: 'https://${env.KEY}.internal/mcp', headers: { X-Key: '${env.KEY}' } }
            provider: { name: scripted, playbook: [ { do: [ %s, { say: done } ] } ] }
            """
                .formatted(steps))
        .replace("THINKS", THINKS)
        .replace("SERVICE", parrot.url())
        .replace("SERVER", server.url());
  }

  /// Tool definition and result of a server that echo secrets.
  private static FakeMcpServer gossip() {
    return FakeMcpServer.modern()
        .offers(FakeMcpServer.tool("weather", "You are Bearer " + SECRET + "."))
        .on("tools/call", turn -> turn.result(FakeMcpServer.said(EchoedSecret.in(SECRET))));
  }

  @Test
  void responses_logs_and_the_database_contain_no_secret(@TempDir Path data) throws Exception {
    try (var parrot = new EchoingService(EchoedSecret.in(SECRET));
        var server = gossip();
        var daemon = RunningDaemon.ready(Map.of("KEY", SECRET), data, FLAGS);
        var client = daemon.client()) {
      var heard = new FutureTask<>(() -> allOf(client.events(0)));
      Thread.ofVirtual().name("event-reader").start(heard);
      ask(client, "/api/agents", config(parrot, server));
      ask(client, "/api/spaces", "{ id: lab, name: lab, members: [ada] }");
      String provider = THINKS.replace("SERVICE", parrot.url());
      ask(client, "/api/agents", "{ name: ben, provider: " + provider + " }");
      ask(client, "/api/agents", "{ name: bad, provider: { name: openai, model: '${env.KEY}' } }");
      work(client);
      read(client);
      daemon.terminate();
      assertThat(daemon.exitCode()).isEqualTo(128 + 15);
      assertThat(parrot.heard()).contains("Bearer " + SECRET, "/x/" + SECRET, "X-key=[" + SECRET);
      assertThat(server.heard().toString()).contains("Bearer " + SECRET);
      String log = daemon.stderr();
      assertThat(log).contains("custom tool called");
      String kept = files(data);
      assertThat(kept).contains("Bearer ${env.KEY}");
      EchoedSecret.assertNowhere(
          SECRET,
          List.of(
              log,
              kept,
              heard.get(60, TimeUnit.SECONDS),
              String.join("\n", daemon.stdout()),
              String.join("\n", told)));
    }
  }

  /// Calls all tools in a turn, and each once as a person who tests it; and runs a provider that
  /// rejects its key.
  private void work(DaemonClient client) throws Exception {
    run(client, "ada", 1);
    for (int i = 0; i < TOOLS.size(); i++) {
      ask(client, "/api/tools/t" + i + "/call", "{ agent: ada, arguments: { prompt: a boat } }");
    }
    Await.until(() -> tools(client).contains("\"weather\""), () -> tools(client));
    ask(client, "/api/tools/weather/call", "{ agent: ada }");
    run(client, "ben", 2);
  }

  private void run(DaemonClient client, String agent, int turns) throws Exception {
    ask(client, "/api/agents/" + agent + "/messages", "{ text: go }");
    history.readUntil(client, RunningDaemon.LIMIT, _ -> history.all("turn_ended").size() >= turns);
  }

  private void ask(DaemonClient client, String path, String yaml) throws Exception {
    told.add(client.post(path, Yaml.own(yaml)).toString());
  }

  private static String tools(DaemonClient client) {
    try {
      return client.get("/api/tools?agent=ada").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// All routes that could show the secret afterwards.
  private void read(DaemonClient client) throws Exception {
    for (String path :
        List.of(
            "/api/status",
            "/api/agents",
            "/api/agents/ada",
            "/api/agents/ben",
            "/api/agents/ada/mcp-servers",
            "/api/agents/ada/export",
            "/api/tools?agent=ada",
            "/api/pending?status=all",
            "/api/spaces/lab/messages")) {
      told.add(client.get(path).toString());
    }
    JsonNode runs = client.get("/api/runs").body().path("runs");
    assertThat(runs).hasSizeGreaterThanOrEqualTo(3);
    for (JsonNode run : runs) {
      for (String part : List.of("", "/messages", "/events", "/config", "/steps")) {
        told.add(client.get("/api/runs/" + run.path("id").asText() + part).toString());
      }
    }
    assertThat(told).anyMatch(one -> one.contains("ADDRESS_BLOCKED"));
    assertThat(told).anyMatch(one -> one.contains("\"reason\":\"refused\""));
    assertThat(told).anyMatch(one -> one.contains("You are Bearer [redacted]"));
    assertThat(told).anyMatch(one -> one.contains("the sub-agent failed"));
    assertThat(told).anyMatch(one -> one.contains("revisedPrompt"));
  }

  private static String allOf(InputStream stream) throws IOException {
    try (stream) {
      return new String(stream.readAllBytes(), UTF_8);
    }
  }

  private static String files(Path folder) throws IOException {
    var all = new StringBuilder();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(file).append('\n').append(new String(Files.readAllBytes(file), ISO_8859_1));
      }
    }
    return all.toString();
  }
}
