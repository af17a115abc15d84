package dev.substrat.toolset.remote;

import static dev.substrat.mcp.client.FakeMcpServer.said;
import static dev.substrat.mcp.client.FakeMcpServer.tool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.identity.RunId;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.CapturedLog;
import dev.substrat.store.DatabaseText;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.team.toolconfig.EchoedSecret;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolCaller;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers that echo secrets in every kind of response.
@OnEveryDatabase
@Requirement({"S3-16", "S3-49"})
@Timeout(300)
final class RemoteSecretsTest {
  private final TestDatabase kind;

  RemoteSecretsTest(TestDatabase kind) {
    this.kind = kind;
  }

  /// All texts of its tool definitions.
  private static ObjectNode gossip(String secret) {
    var weather = tool("weather", "You are Bearer " + secret + ".");
    weather.put("title", secret);
    weather.withObjectProperty("inputSchema").put("description", "like " + secret);
    var result = Json.object();
    result.putArray("tools").add(weather).add(tool("bad name " + secret, "x"));
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tide-tables-7", EchoedSecret.AWKWARD, EchoedSecret.NUMBER})
  void secrets_sent_to_a_server_are_redacted_everywhere(String secret) throws Exception {
    try (var outpost = new RemoteServerTeam(kind, secret);
        var log = new CapturedLog();
        var server = FakeMcpServer.modern()) {
      server.on("tools/list", turn -> turn.result(gossip(secret)));
      // No address has blanks in it.
      String query = secret.contains(" ") ? "" : "?key=${env.TOKEN}";
      Agent ada =
          outpost.agent(
              "ada",
              "{name: met, url: '%s', headers: {Authorization: 'Bearer ${env.TOKEN}'}}"
                  .formatted(server.url() + query));
      outpost.look(ada);
      assertThat(outpost.tool(ada, "weather").description()).startsWith("You are Bearer [");
      Queue<String> told = new ConcurrentLinkedQueue<>();
      server.on(
          "tools/call",
          turn -> {
            var events = turn.events();
            var params = Json.object().put("progress", 1).put("message", "with " + secret);
            params.set("progressToken", turn.params().at("/_meta/progressToken"));
            events.send(JsonRpc.notification("notifications/progress", params));
            events.send(JsonRpc.result(turn.id(), said(EchoedSecret.in(secret))));
          });
      var call =
          new ToolCall(
              ToolCaller.external(ada, RunId.random()),
              0,
              "call",
              null,
              null,
              status -> told.add(Json.text(status)));
      told.add(Json.text(outpost.tool(ada, "weather").call(call, Json.object()).json()));
      assertThat(told).hasSize(2);

      server.on(
          "tools/list",
          turn -> {
            var error = Json.object().put("code", 1).put("message", "no " + secret);
            turn.status(400, Json.text(JsonRpc.error(turn.id(), error)));
          });
      outpost.clock.pass(Duration.ofMinutes(2));
      outpost.call(ada, "weather");
      Await.until(() -> log.all().contains("cannot list the tools"));

      EchoedSecret.assertNowhere(
          secret,
          List.of(
              String.join("\n", told),
              log.all(),
              outpost.remote.approvals().servers(ada).toString(),
              DatabaseText.in(outpost.place, outpost.database)));
    }
  }

  @Test
  void secrets_in_a_blocked_server_url_are_redacted_everywhere() throws Exception {
    String secret = "tide-tables-7.internal";
    try (var log = new CapturedLog();
        var server = FakeMcpServer.modern();
        var outpost = new RemoteServerTeam(kind, Map.of("WAY", "http", "TOKEN", server.host()));
        RemoteServers moved = outpost.another(Map.of("WAY", "https", "TOKEN", secret))) {
      Agent ada = outpost.agent("ada", "{name: met, url: '${env.WAY}://${env.TOKEN}/mcp'}");
      outpost.look(ada);
      ObjectNode told = RemoteServerTeam.call(ada, moved.of(ada, Set.of()).getFirst());
      assertThat(told.path("code").asText()).isEqualTo("ADDRESS_BLOCKED");
      assertThat(told.path("hint").asText()).contains("--allow-host [redacted]:443");
      EchoedSecret.assertNowhere(
          secret,
          List.of(
              told.toString(),
              log.all(),
              moved.approvals().servers(ada).toString(),
              DatabaseText.in(outpost.place, outpost.database)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {EchoedSecret.AWKWARD, EchoedSecret.NUMBER})
  void environment_variables_of_a_program_are_redacted_everywhere(String secret) throws Exception {
    String script =
        """
        while read -r line; do
          id=$(printf "%s" "$line" | sed -n "s/.*\\"id\\":\\([0-9]*\\).*/\\1/p")
          case $line in
            *server/discover*) r="{\\"supportedVersions\\":[\\"2026-07-28\\"],\\"capabilities\\":{}}";;
            *tools/call*) echo "no $KEY" >&2; exit 3;;
            *) r="{\\"tools\\":[{\\"name\\":\\"weather\\",\\"description\\":\\"$KEY\\",\\"inputSchema\\":{\\"type\\":\\"object\\"}}]}";;
          esac
          echo "{\\"jsonrpc\\":\\"2.0\\",\\"id\\":$id,\\"result\\":$r}"
        done
        """;
    try (var outpost = new RemoteServerTeam(kind, secret);
        var log = new CapturedLog()) {
      Agent ada =
          outpost.agent(
              "ada",
              "{name: box, command: /bin/sh, args: ['-c', %s], env: {KEY: '${env.TOKEN}'}}"
                  .formatted(Json.text(script)));
      String hash =
          String.valueOf(outpost.remote.approvals().servers(ada).getFirst().commandHash());
      outpost.remote.approvals().approveCommand(ada, "box", hash, "operator");
      outpost.look(ada);
      assertThat(outpost.tool(ada, "weather").description()).startsWith("[redacted]");
      String reply = outpost.call(ada, "weather").toString();
      assertThat(reply).contains("[redacted]");
      EchoedSecret.assertNowhere(
          secret, List.of(reply, log.all(), DatabaseText.in(outpost.place, outpost.database)));
    }
  }
}
