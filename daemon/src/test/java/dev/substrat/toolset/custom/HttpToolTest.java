package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ProgressSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tools that call a URL: the request that is sent, and the result for the agent.
@OnEveryDatabase
final class HttpToolTest {
  private final CustomToolTeam team;

  HttpToolTest(TestDatabase kind) {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S3-6", "S3-16"})
  void placeholders_in_url_query_headers_and_body_keep_their_types() {
    Agent ada =
        team.external(
            """
            - name: book
              description: Books a room.
              executionType: gateway
              execution:
                url: SERVICE/hotels/{{input.hotel.id}}/rooms?lang={{input.lang}}&page={{input.none}}
                method: POST
                headers: { Authorization: "Bearer ${env.KEY}", X-Guest: "for {{input.guest}}",
                           X-Floor: "{{input.floor}}", X-Gone: "{{input.none}}", X-Text: "to {{input.none}}!" }
                queryParams: { floor: "{{input.floor}}", tag: "{{input.tags}}", no: "{{input.none}}" }
                body: { nights: "{{input.nights}}", guest: "{{input.guest}}", hotel: "{{input.hotel}}",
                        text: "{{input.nights}} nights", vip: "{{input.vip}}", gone: "{{input.none}}" }
            """);
    JsonNode result =
        team.call(
            ada,
            "book",
            """
            {'hotel': {'id': 'a/b c'}, 'lang': 'd&e', 'guest': 'Zoë', 'nights': 3, 'floor': 2,
             'tags': ['x', 'y z'], 'vip': false}
            """);
    assertThat(result).isEqualTo(Json.own("{\"ok\":true}"));
    FakeService.Request sent = team.service.last();
    assertThat(sent.method()).isEqualTo("POST");
    assertThat(sent.uri()).isEqualTo("/hotels/a%2Fb%20c/rooms?lang=d%26e&floor=2&tag=x&tag=y%20z");
    assertThat(sent.headers())
        .containsEntry("authorization", "Bearer " + CustomToolTeam.SECRET)
        .containsEntry("content-type", "application/json")
        .containsEntry("x-floor", "2")
        .containsEntry("x-text", "to !")
        .doesNotContainKey("x-gone");
    assertThat(Json.own(sent.body()))
        .isEqualTo(
            Json.own(
                """
                {"nights":3,"guest":"Zoë","hotel":{"id":"a/b c"},"text":"3 nights","vip":false}
                """));
  }

  @Test
  @Requirement({"S3-7", "S3-19"})
  void an_external_tool_with_an_address_under_either_name_is_called_at_once_with_its_input() {
    Agent ada =
        team.external(
            """
            - { name: one, description: One., executionType: external, execution: { url: SERVICE/one } }
            - { name: two, description: Two., executionType: external,
                execution: { webhookUrl: SERVICE/two, method: PUT } }
            """);
    assertThat(team.call(ada, "one", "{'a': 1}").path("ok").asBoolean()).isTrue();
    assertThat(team.service.last().method() + team.service.last().body())
        .isEqualTo("POST{\"a\":1}");
    assertThat(team.call(ada, "two", "{'a': 2}").path("ok").asBoolean()).isTrue();
    assertThat(team.service.last().method() + team.service.last().body()).isEqualTo("PUT{\"a\":2}");
  }

  @Test
  @Requirement("S3-16")
  void json_text_and_failures_have_the_specified_keys() {
    Agent ada = team.external(get("look", "SERVICE/{{input.path}}"));
    team.service.answers("/list", 200, "application/json", "[1,2]");
    team.service.answers("/text", 200, "text/plain", "hello");
    team.service.answers("/bare", 200, "", "{\"a\":1}");
    team.service.answers("/lies", 200, "application/json", "not json");
    team.service.answers("/empty", 204, "", "");
    team.service.answers("/broken", 503, "text/plain", "x".repeat(2000));
    assertThat(look(ada, "list")).isEqualTo(Json.own("{\"value\":[1,2]}"));
    assertThat(look(ada, "text")).isEqualTo(Json.own("{\"text\":\"hello\"}"));
    assertThat(look(ada, "bare")).isEqualTo(Json.own("{\"a\":1}"));
    assertThat(look(ada, "lies")).isEqualTo(Json.own("{\"text\":\"not json\"}"));
    assertThat(look(ada, "empty")).isEqualTo(Json.own("{\"text\":\"\"}"));
    JsonNode broken = look(ada, "broken");
    assertThat(broken.path("code").asText()).isEqualTo("UPSTREAM_ERROR");
    assertThat(broken.path("status").asInt()).isEqualTo(503);
    assertThat(broken.path("excerpt").asText()).hasSizeLessThan(600).startsWith("xxx");
  }

  @Test
  @Requirement("S3-16")
  void an_unreachable_or_blocked_url_is_reported() throws IOException {
    Agent ada =
        team.external(
            """
            - { name: host, description: Any host., executionType: internal,
                execution: { url: "http://{{input.host}}/x", timeout: 2000 } }
            - { name: slow, description: Slow., executionType: internal,
                execution: { url: "http://127.0.0.1:{{input.port}}/", timeout: 150 } }
            """);
    for (String host : new String[] {"2130706433", "0x7f.1", "0177.0.0.1", "10.0.0.1", "[::1]"}) {
      assertThat(team.call(ada, "host", "{'host': '" + host + "'}").path("code").asText())
          .as(host)
          .isEqualTo("ADDRESS_BLOCKED");
    }
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      JsonNode slow = team.call(ada, "slow", "{'port': " + silent.getLocalPort() + "}");
      assertThat(slow.path("code").asText()).isEqualTo("TIMEOUT");
      assertThat(slow.path("reason").asText()).isEqualTo("timed_out");
    }
  }

  @Test
  @Requirement("S3-16")
  void a_dot_segment_is_rejected_and_headers_have_no_line_breaks() {
    Agent ada =
        team.external(
            get("look", "SERVICE/users/{{input.path}}/name")
                + """
                - { name: head, description: Head., executionType: gateway,
                    execution: { url: SERVICE/, headers: { X-A: "{{input.a}}" } } }
                """);
    assertThat(look(ada, "..").path("code").asText()).isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.call(ada, "head", "{'a': 'x\\r\\nX-B: y'}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.service.requests).isEmpty();
  }

  @Test
  @Requirement("S3-53")
  void a_streaming_response_is_reported_as_progress() {
    Agent ada = team.external(get("look", "SERVICE/{{input.path}}"));
    team.service.answers(
        "/lines",
        200,
        "application/x-ndjson",
        "{\"status\":\"a\"}\n\n{\"status\":\"b\"}\n{\"n\":3}\n");
    team.service.answers(
        "/events",
        200,
        "text/event-stream",
        ": hi\nevent: x\ndata: {\"n\":1}\n\ndata: {\"n\":2}\n\n");
    var heard = new ArrayList<ObjectNode>();
    ProgressSink progress = heard::add;
    JsonNode lines = team.call(ada, "look", "{'path': 'lines'}", "k1", progress);
    assertThat(lines).isEqualTo(Json.own("{\"n\":3}"));
    assertThat(heard).extracting(one -> one.path("status").asText()).containsExactly("a", "b", "");
    assertThat(heard.getLast()).as("the result is reported, too").isEqualTo(lines);
    heard.clear();
    JsonNode events = team.call(ada, "look", "{'path': 'events'}", "k2", progress);
    assertThat(events).isEqualTo(Json.own("{\"n\":2}"));
    assertThat(heard).containsExactly(Json.object().put("n", 1), Json.object().put("n", 2));
  }

  @Test
  @Requirement("S3-53")
  void a_closed_progress_listener_does_not_fail_the_call() {
    Agent ada = team.external(get("look", "SERVICE/{{input.path}}"));
    team.service.answers("/lines", 200, "application/x-ndjson", "{\"n\":1}\n".repeat(3));
    ProgressSink gone =
        _ -> {
          throw new UncheckedIOException(new IOException("the client has gone"));
        };
    JsonNode first = team.call(ada, "look", "{'path': 'lines'}", "k", gone);
    assertThat(first).isEqualTo(Json.own("{\"n\":1}"));
    assertThat(team.call(ada, "look", "{'path': 'lines'}", "k", ProgressSink.UNHEARD))
        .as("and a second try gets the same")
        .isEqualTo(first);
  }

  @Test
  @Requirement("S3-16")
  void a_retry_has_only_the_remaining_time() throws IOException {
    Agent ada =
        team.external(
            """
            - { name: slow, description: Slow., executionType: internal,
                execution: { url: "http://127.0.0.1:{{input.port}}/", timeout: 5000 } }
            """);
    try (var hangsUp = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      var tries = new AtomicInteger();
      Thread.ofVirtual().start(() -> hangUp(hangsUp, tries));
      long start = System.nanoTime();
      JsonNode reply = team.call(ada, "slow", "{'port': " + hangsUp.getLocalPort() + "}");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(7900));
      assertThat(reply.path("code").asText()).isEqualTo("TIMEOUT");
      assertThat(tries).hasValue(2);
    }
  }

  /// Waits for most of the time, and then closes the connection.
  private static void hangUp(ServerSocket server, AtomicInteger tries) {
    while (!server.isClosed()) {
      try (var client = server.accept()) {
        tries.incrementAndGet();
        client.setSoTimeout(3000);
        client.getInputStream().readAllBytes();
      } catch (IOException e) {
        // Over.
      }
    }
  }

  @ParameterizedTest
  @Requirement("S3-16")
  @ValueSource(ints = {301, 302, 303})
  void a_post_whose_redirect_target_is_unreachable_is_not_sent_again(int status) {
    Agent ada =
        team.external(
            """
            - { name: pay, description: Pays., executionType: gateway,
                execution: { url: SERVICE/pay, method: POST } }
            """);
    team.service.redirects("/pay", status, "http://127.0.0.1:1/x");
    assertThat(team.call(ada, "pay", "{'sum': 5}").path("reason").asText()).isEqualTo("refused");
    assertThat(team.service.requests)
        .extracting(FakeService.Request::method)
        .containsExactly("POST");
  }

  @Test
  @Requirement({"S3-6", "S3-34"})
  void a_result_is_available_within_the_turn() {
    team.agent(
        """
        name: ben
        provider:
          name: scripted
          playbook:
            - do:
                - { call: look, with: { path: first }, save: one }
                - { call: look, with: { path: "{{one.next}}" }, save: two }
                - { say: "found {{two.tide}}" }
        tools:
        """
            + get("look", "SERVICE/{{input.path}}").indent(2));
    team.service.answers("/first", 200, "application/json", "{\"next\":\"second\"}");
    team.service.answers("/second", 200, "application/json", "{\"tide\":\"a low tide\"}");
    var messages = team.engine.messages();
    var question =
        messages.fromOperator("ben", new Messages.PersonMessage("look", true, null), null);
    team.runAll();
    assertThat(messages.findReply(question.id()).orElseThrow().text())
        .isEqualTo("found a low tide");
    assertThat(team.service.requests)
        .extracting(FakeService.Request::uri)
        .containsExactly("/first", "/second");
    assertThat(team.rows("select id from run", "id")).as("it took one turn").hasSize(1);
  }

  @Test
  @Requirement("S3-6")
  void a_call_of_a_dead_attempt_is_not_repeated() {
    Agent ada =
        team.external(
            """
            - { name: pay, description: Pays., executionType: gateway,
                execution: { url: SERVICE/pay, method: POST } }
            """);
    JsonNode first = team.call(ada, "pay", "{'sum': 5}", "the same", ProgressSink.UNHEARD);
    JsonNode second = team.call(ada, "pay", "{'sum': 5}", "the same", ProgressSink.UNHEARD);
    assertThat(second).isEqualTo(first);
    assertThat(team.service.requests).hasSize(1);
    assertThat(team.service.last().headers().get("idempotency-key")).endsWith("/the same");
  }

  private static String get(String name, String url) {
    return """
    - { name: %s, description: Looks., executionType: gateway, execution: { url: "%s" } }
    """
        .formatted(name, url);
  }

  private JsonNode look(Agent agent, String path) {
    return team.call(agent, "look", "{'path': '" + path + "'}");
  }
}
