package dev.substrat.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.json.Json;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What a space hears of a visible call, event by event, from its start to its end.
@OnEveryDatabase
@Requirement({"S3-48", "S3-53", "S3-54", "A9"})
final class StreamedCallTest {
  private static final String BITS =
      "{\"status\":\"loading\"}\n{\"status\":\"sorting\"}\n{\"tides\":2}\n";

  private final GatewayTeam team;
  private final Agent ada;

  StreamedCallTest(TestDatabase kind) {
    this.team = new GatewayTeam(kind.dialect());
    this.ada =
        team.external(
            """
            - { name: look, description: Looks., executionType: gateway,
                execution: { url: "SERVICE/tides", method: POST } }
            - { name: peer, description: Looks., executionType: gateway,
                execution: { url: "http://127.0.0.1:{{input.port}}/", method: POST } }
            """);
    team.space("lab", ada);
    team.call(ada, "enter_space", "{'spaceId': 'lab'}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// All that was told belongs to one call of `tool`, and begins with what it was called with.
  private List<JsonNode> story(String tool, JsonNode input) {
    List<JsonNode> story = team.payloads("tool-");
    assertThat(story).extracting(one -> one.path("toolName").asText()).containsOnly(tool);
    assertThat(story)
        .extracting(one -> one.path("callId").asText())
        .containsOnly(story.getFirst().path("callId").asText())
        .doesNotContain("");
    assertThat(Json.own(story.get(1).path("delta").asText())).isEqualTo(input);
    assertThat(story.getLast().path("input")).isEqualTo(input);
    return story;
  }

  private static void assertPreliminary(JsonNode told, String status) {
    assertThat(told.path("preliminary")).isEqualTo(Json.own("true"));
    assertThat(told.path("output")).isEqualTo(Json.object().put("status", status));
  }

  @Test
  void every_bit_is_told_before_the_end() {
    team.service.answers("/tides", 200, "application/x-ndjson", BITS);
    team.call(ada, "look", "{'harbor': 'Bergen'}");
    assertThat(team.told("tool-"))
        .containsExactly(
            "tool-call.start",
            "tool-input-delta",
            "tool-result",
            "tool-result",
            "tool-call.complete");
    List<JsonNode> story = story("look", Json.own("{\"harbor\":\"Bergen\"}"));
    assertPreliminary(story.get(2), "loading");
    assertPreliminary(story.get(3), "sorting");
    assertThat(story.getLast().has("preliminary")).isFalse();
    assertThat(story.getLast().path("output")).isEqualTo(Json.own("{\"tides\":2}"));
    SpaceMessage message = team.shown("lab").getFirst();
    assertThat(message.id().value()).isEqualTo(story.getLast().path("message_id").asText());
    assertThat(GatewayTeam.metadata(message).path("output"))
        .as("the bits are told, the result is kept")
        .isEqualTo(Json.own("{\"tides\":2}"));
  }

  @Test
  void one_that_breaks_off_ends_with_an_error_after_what_it_had_said() throws IOException {
    JsonNode reply;
    JsonNode input;
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> breakOff(server));
      input = Json.object().put("port", server.getLocalPort());
      reply = team.call(ada, "peer", Json.text(input));
    }
    assertThat(reply.path("error").asBoolean()).as("%s", reply).isTrue();
    assertThat(team.told("tool-"))
        .containsExactly(
            "tool-call.start", "tool-input-delta", "tool-result", "tool-result", "tool-call.error");
    List<JsonNode> story = story("peer", input);
    assertPreliminary(story.get(2), "loading");
    assertPreliminary(story.get(3), "sorting");
    assertThat(story.getLast().at("/output/code")).isEqualTo(reply.path("code"));
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsExactly(SpaceMessage.Status.ERROR);
  }

  /// Promises more than it sends.
  private static void breakOff(ServerSocket server) {
    try (var client = server.accept()) {
      var asked = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
      for (String line = asked.readLine(); line != null && !line.isEmpty(); ) {
        line = asked.readLine();
      }
      String head =
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 4000\r\n\r\n";
      client.getOutputStream().write((head + BITS).getBytes(UTF_8));
      client.shutdownOutput();
      asked.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // Whoever asked has gone.
    }
  }

  @Test
  void one_that_fails_at_once_has_nothing_between() {
    team.service.answers("/tides", 503, "text/plain", "low tide");
    JsonNode reply = team.call(ada, "look", "{}");
    assertThat(team.told("tool-"))
        .containsExactly("tool-call.start", "tool-input-delta", "tool-call.error");
    JsonNode end = story("look", Json.object()).getLast();
    assertThat(end.path("output")).isEqualTo(reply);
    assertThat(end.at("/output/status").asInt()).isEqualTo(503);
  }
}
