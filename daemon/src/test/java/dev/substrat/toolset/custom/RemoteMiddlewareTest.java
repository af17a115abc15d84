package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.mcp.client.FakeMcpServer;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.platform.json.Json;
import dev.substrat.store.DatabaseText;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Middleware of an agent's configuration around remote tools.
@Requirement({"S3-4", "S3-51"})
final class RemoteMiddlewareTest {
  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);
  private final FakeMcpServer met = FakeMcpServer.modern();

  @AfterEach
  void close() throws IOException {
    team.engine.remoteServers().close();
    team.close();
    met.close();
  }

  private Agent with(String middleware) {
    return with("ada", middleware);
  }

  private Agent with(String name, String middleware) {
    Agent agent =
        team.agent(
            """
            name: %s
            provider: { name: external }
            middleware: %s
            mcp: { servers: [ { name: met, url: '%s' } ] }
            """
                .formatted(name, middleware, met.url()));
    team.engine.remoteServers().refresh(agent, agent.config().serversOrNone().getFirst());
    return agent;
  }

  @Test
  void redacted_values_are_in_no_record_event_or_message() {
    met.on(
        "tools/call",
        turn -> {
          var events = turn.events();
          var report = Json.object().put("progress", 1);
          report.set("progressToken", turn.params().at("/_meta/progressToken"));
          events.send(JsonRpc.notification("notifications/progress", report));
          var result = FakeMcpServer.said("it rains");
          result.putObject("structuredContent").put("sky", "grey").put("token", "t-9876");
          events.send(JsonRpc.result(turn.id(), result));
        });
    Agent ada = with("[log, {redact: {keys: [token, progress]}}]");
    var heard = new ArrayList<JsonNode>();
    assertThat(team.call(ada, "weather", "{}", "k", heard::add))
        .isEqualTo(Json.own("{\"sky\":\"grey\",\"token\":\"[redacted]\"}"));
    assertThat(heard)
        .containsExactly(Json.own("{\"status\":\"working\",\"progress\":\"[redacted]\"}"));
    assertThat(DatabaseText.in(team.place, team.database)).doesNotContain("t-9876");
  }

  @Test
  void a_limit_counts_calls_that_pass_it_and_a_cache_answers_reads() {
    var look = FakeMcpServer.tool("weather", "Tells the weather.");
    look.putObject("annotations").put("readOnlyHint", true);
    met.offers(look);
    Agent ada = with("[cache, {limit: {perMinute: 1}}]");
    for (int i = 0; i < 3; i++) {
      assertThat(team.call(ada, "weather", "{}").path("text").asText()).isEqualTo("it rains");
    }
    assertThat(team.call(ada, "weather", "{'place': 'sea'}").path("code").asText())
        .isEqualTo("RATE_LIMITED");
    assertThat(met.count("tools/call")).isEqualTo(1);
  }

  @ParameterizedTest
  @Requirement({"C23", "S3-51"})
  @CsvSource(
      delimiter = '|',
      value = {
        "allowedTools: [weather, tide] | ''",
        "visible: true | weather tide",
        "tools: { tide: { visible: true } } | tide",
        "visible: true, tools: { tide: { visible: false } } | weather"
      })
  void a_remote_tool_is_shown_in_the_space_if_its_server_or_its_own_option_says_so(
      String options, String shown) {
    met.offers(
        FakeMcpServer.tool("weather", "Tells the weather."),
        FakeMcpServer.tool("tide", "Tells the tide."));
    Agent ada =
        team.agent(
            """
            name: ada
            provider: { name: external }
            mcp: { servers: [ { name: met, url: '%s', %s } ] }
            """
                .formatted(met.url(), options));
    team.engine.remoteServers().refresh(ada, ada.config().serversOrNone().getFirst());
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    for (String tool : List.of("weather", "tide")) {
      assertThat(team.call(ada, tool, "{'place': 'sea'}").path("text").asText())
          .isEqualTo("it rains");
    }
    assertThat(
            team.shown("lab").stream()
                .map(message -> CustomToolTeam.metadata(message).path("toolName").asText())
                .collect(Collectors.joining(" ")))
        .isEqualTo(shown);
    assertThat(team.shown("lab"))
        .allSatisfy(message -> {
          assertThat(CustomToolTeam.metadata(message).at("/input/place").asText()).isEqualTo("sea");
          assertThat(CustomToolTeam.metadata(message).at("/output/text").asText())
              .isEqualTo("it rains");
        });
  }

  @Test
  void write_calls_are_not_cached() {
    Agent ada = with("[cache]");
    team.call(ada, "weather", "{}");
    team.call(ada, "weather", "{}");
    assertThat(met.count("tools/call")).isEqualTo(2);
  }

  @Test
  void repaired_arguments_are_sent_to_the_server() {
    var tide = FakeMcpServer.tool("tide", "Tells the tide.");
    tide.withObject("/inputSchema/properties/hour").put("type", "integer");
    met.offers(tide);
    Agent ada = with("[repair]");
    assertThat(team.call(ada, "tide", "{'hour': '3'}").path("text").asText()).isEqualTo("it rains");
    assertThat(
            met.heard().stream()
                .filter(one -> one.method().equals("tools/call"))
                .map(one -> one.message().at("/params/arguments/hour"))
                .toList())
        .containsExactly(Json.own("3"));
  }

  @Test
  void a_tool_with_middleware_has_the_same_definition() {
    met.offers(
        FakeMcpServer.tool("weather", "Tells the weather.").put("title", "Weather of today"));
    Tool plain = tool(with("ada", "[]"));
    Tool wrapped = tool(with("ben", "[log]"));
    assertThat(List.of(wrapped.title(), wrapped.description(), wrapped.effect()))
        .isEqualTo(List.of(plain.title(), plain.description(), plain.effect()));
    assertThat(wrapped.server()).isEqualTo("met");
    assertThat(wrapped.input().json()).isEqualTo(plain.input().json());
  }

  private Tool tool(Agent agent) {
    return team.engine.pipeline().of(agent).stream()
        .filter(one -> one.name().equals("weather"))
        .findFirst()
        .orElseThrow();
  }
}
