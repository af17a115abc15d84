package dev.substrat.teamtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/// HTTP and MCP access to a team under test.
final class ExternalAgentTest {
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  @Requirement({"N11", "S0-12", "S0-22"})
  void an_external_agent_takes_part_over_mcp() throws Exception {
    try (http;
        var team = TeamTest.start()) {
      team.apply(
          """
          agents:
            - name: Mira
              provider:
                name: scripted
                playbook:
                  - when: { kind: message }
                    do: [ { call: send_message, with: { recipient: Ada, text: "how many?" } } ]
                  - when: { kind: reply }
                    do: [ { say: "Ada counts {{event.text}}" } ]
              children:
                - { name: Ada, provider: { name: external } }
          """);
      String token = team.token("ada");
      SentMessage question = team.ask("mira", "what is in the harbor?");
      team.runToRest();

      JsonNode entry = call(team, token, "check_inbox", "{}").path("messages").path(0);
      assertThat(entry.path("text").asText()).isEqualTo("how many?");
      call(team, token, "send_message", "{\"recipient\":\"Mira\",\"text\":\"7\",\"sync\":false}");
      team.runToRest();

      assertThat(team.answer(question)).isEqualTo("Ada counts 7");
      assertThat(team.calls("ada"))
          .extracting(RecordedCall::tool)
          .containsExactly("check_inbox", "send_message");
    }
  }

  @Test
  void the_operator_has_a_token_and_the_server_stops_with_the_test() throws Exception {
    String url;
    try (http) {
      try (var team = TeamTest.start()) {
        url = team.url();
        team.agent("{name: Ada}");
        var agents = get(url + "/api/agents", team.operatorToken());
        assertThat(agents.path("agents").path(0).path("handle").asText()).isEqualTo("ada");
      }
      assertThatThrownBy(() -> get(url + "/healthz", "")).isInstanceOf(IOException.class);
    }
  }

  private JsonNode call(TeamTest team, String token, String tool, String arguments)
      throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(team.url() + "/mcp"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .POST(
                BodyPublishers.ofString(
                    """
                    {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                     "params": {"name": "%s", "arguments": %s}}
                    """
                        .formatted(tool, arguments)))
            .build();
    return Json.own(http.send(request, BodyHandlers.ofString()).body())
        .path("result")
        .path("structuredContent");
  }

  private JsonNode get(String url, String token) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token).build();
    return Json.own(http.send(request, BodyHandlers.ofString()).body());
  }
}
