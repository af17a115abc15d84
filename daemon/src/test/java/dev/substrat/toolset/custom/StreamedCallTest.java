package dev.substrat.toolset.custom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.space.SpaceMessage;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Events of a visible call in a space, from its start to its end.
@OnEveryDatabase
@Requirement({"S3-48", "S3-53", "S3-54", "A9"})
final class StreamedCallTest {
  private static final String BITS =
      "{\"status\":\"loading\"}\n{\"status\":\"sorting\"}\n{\"tides\":2}\n";

  private final CustomToolTeam team;
  private final Agent ada;

  StreamedCallTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
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

  /// All events belong to one call of `tool` and start with its arguments.
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
  void every_part_of_a_stream_is_an_event_before_the_end() {
    team.service.answers("/tides", 200, "application/x-ndjson", BITS);
    team.call(ada, "look", "{'harbor': 'Bergen'}");
    assertThat(team.told("tool-"))
        .containsExactly(
            "tool-call.start",
            "tool-input-delta",
            "tool-result",
            "tool-result",
            "tool-result",
            "tool-call.complete");
    List<JsonNode> story = story("look", Json.own("{\"harbor\":\"Bergen\"}"));
    assertPreliminary(story.get(2), "loading");
    assertPreliminary(story.get(3), "sorting");
    assertThat(story.get(4).path("output")).isEqualTo(Json.own("{\"tides\":2}"));
    assertThat(story.getLast().has("preliminary")).isFalse();
    assertThat(story.getLast().path("output")).isEqualTo(Json.own("{\"tides\":2}"));
    SpaceMessage message = team.shown("lab").getFirst();
    assertThat(message.id().value()).isEqualTo(story.getLast().path("message_id").asText());
    assertThat(CustomToolTeam.metadata(message).path("output"))
        .as("the parts are events, the result is stored")
        .isEqualTo(Json.own("{\"tides\":2}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          application/x-ndjson | {"status":"loading"}\\n | {"tides":2}\\n
          text/event-stream | event: progress\\ndata: {"status":\\ndata: "loading"}\\n\\n | data: {"tides":2}\\n\\n
          """)
  void a_status_is_an_event_as_soon_as_the_service_has_sent_it(
      String type, String first, String last) throws Exception {
    var seen = new CountDownLatch(1);
    try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(() -> answerInTwoParts(server, type, newlines(first), newlines(last), seen));
      var input = Json.object().put("port", server.getLocalPort());
      var reply = new CompletableFuture<JsonNode>();
      Thread.ofVirtual().start(() -> reply.complete(team.call(ada, "peer", Json.text(input))));

      // The service sends nothing more before this condition holds.
      Await.until(() -> team.told("tool-").contains("tool-result"));
      assertPreliminary(team.payloads("tool-result").getLast(), "loading");
      assertThat(reply).isNotDone();
      seen.countDown();

      assertThat(reply.get(120, TimeUnit.SECONDS)).isEqualTo(Json.own("{\"tides\":2}"));
      assertThat(team.told("tool-"))
          .containsExactly(
              "tool-call.start",
              "tool-input-delta",
              "tool-result",
              "tool-result",
              "tool-call.complete");
    } finally {
      seen.countDown();
    }
  }

  private static String newlines(String text) {
    return text.replace("\\n", "\n");
  }

  /// Sends the second part only after the first one was seen.
  private static void answerInTwoParts(
      ServerSocket server, String type, String first, String last, CountDownLatch seen) {
    try (var client = server.accept()) {
      skipRequestHead(client);
      String begin =
          "HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nConnection: close\r\n\r\n" + first;
      client.getOutputStream().write(begin.getBytes(UTF_8));
      client.getOutputStream().flush();
      seen.await();
      client.getOutputStream().write(last.getBytes(UTF_8));
    } catch (IOException | InterruptedException e) {
      // The caller has gone.
    }
  }

  private static BufferedReader skipRequestHead(Socket client) throws IOException {
    var request = new BufferedReader(new InputStreamReader(client.getInputStream(), UTF_8));
    for (String line = request.readLine(); line != null && !line.isEmpty(); ) {
      line = request.readLine();
    }
    return request;
  }

  @Test
  void an_interrupted_stream_ends_with_an_error_after_its_parts() throws IOException {
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
            "tool-call.start",
            "tool-input-delta",
            "tool-result",
            "tool-result",
            "tool-result",
            "tool-call.error");
    List<JsonNode> story = story("peer", input);
    assertPreliminary(story.get(2), "loading");
    assertPreliminary(story.get(3), "sorting");
    assertThat(story.getLast().at("/output/code")).isEqualTo(reply.path("code"));
    assertThat(team.shown("lab"))
        .extracting(SpaceMessage::status)
        .containsExactly(SpaceMessage.ToolCallStatus.ERROR);
  }

  /// Promises more than it sends.
  private static void breakOff(ServerSocket server) {
    try (var client = server.accept()) {
      var asked = skipRequestHead(client);
      String head =
          "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nContent-Length: 4000\r\n\r\n";
      client.getOutputStream().write((head + BITS).getBytes(UTF_8));
      client.shutdownOutput();
      asked.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // The caller has disconnected.
    }
  }

  @Test
  void a_call_that_fails_immediately_has_no_progress_events() {
    team.service.answers("/tides", 503, "text/plain", "low tide");
    JsonNode reply = team.call(ada, "look", "{}");
    assertThat(team.told("tool-"))
        .containsExactly("tool-call.start", "tool-input-delta", "tool-call.error");
    JsonNode end = story("look", Json.object()).getLast();
    assertThat(end.path("output")).isEqualTo(reply);
    assertThat(end.at("/output/status").asInt()).isEqualTo(503);
  }
}
