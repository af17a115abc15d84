package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolResult;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.tool.pending.PendingCalls;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Intermediate results of custom tools are events: in a space, without one, and while the call is
/// pending.
@OnEveryDatabase
@Requirement({"S3-53", "S3-54", "A9"})
@Timeout(300)
final class ProgressEventsTest {
  private static final int BURST = 100;

  private final CustomToolTeam team;
  private final StreamingService service = new StreamingService();

  ProgressEventsTest(TestDatabase kind) throws IOException {
    this.team = new CustomToolTeam(kind.dialect());
  }

  @AfterEach
  void close() throws IOException {
    service.close();
    team.engine.pipeline().background().close();
    team.close();
  }

  /// With a tool `job` that calls the streaming service.
  private Agent ada(String more, String execution) {
    return team.external(
        "- { name: job, description: Works., %s, execution: { url: 'http://127.0.0.1:%d/'%s } }\n"
            .formatted(more, service.port(), execution));
  }

  private void enter(Agent agent) {
    team.space("lab", agent);
    team.call(agent, "enter_space", "{'spaceId': 'lab'}");
  }

  private CompletableFuture<JsonNode> calling(Agent agent) {
    var reply = new CompletableFuture<JsonNode>();
    Thread.ofVirtual().start(() -> reply.complete(team.call(agent, "job", "{}")));
    return reply;
  }

  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(n -> "{\"n\":" + n + "}\n")
        .collect(Collectors.joining());
  }

  private List<Integer> reported() {
    return team.payloads("tool-result").stream().map(one -> one.at("/output/n").asInt(-1)).toList();
  }

  private void awaitReported(int n) {
    Await.until(() -> reported().contains(n));
  }

  @Test
  void a_line_is_an_event_after_any_number_of_lines() throws Exception {
    Agent ada = ada("executionType: gateway", "");
    enter(ada);
    CompletableFuture<JsonNode> reply = calling(ada);
    service.send(lines(0, BURST));
    awaitReported(BURST - 1);
    for (int n = BURST; n < BURST + 20; n++) {
      service.send(lines(n, n + 1));
      awaitReported(n);
    }
    service.end();
    assertThat(reply.get(120, TimeUnit.SECONDS).path("n").asInt()).isEqualTo(BURST + 19);
    assertThat(reported())
        .containsExactlyElementsOf(IntStream.range(0, BURST + 20).boxed().toList());
  }

  @Test
  void the_newest_line_of_many_is_an_event_while_the_service_pauses() throws Exception {
    Agent ada = ada("executionType: gateway", "");
    enter(ada);
    CompletableFuture<JsonNode> reply = calling(ada);
    service.send(lines(0, 5_000));
    awaitReported(4_999);
    assertThat(reply).isNotDone();
    service.end();
    assertThat(reply.get(120, TimeUnit.SECONDS).path("n").asInt()).isEqualTo(4_999);
    assertThat(reported())
        .hasSizeBetween(BURST + 1, 4_000)
        .startsWith(IntStream.range(0, BURST).boxed().toArray(Integer[]::new))
        .isSorted()
        .doesNotHaveDuplicates()
        .endsWith(4_999);
  }

  @Test
  void the_last_line_of_many_is_an_event_before_the_result() {
    team.service.answers("/flood", 200, "application/x-ndjson", lines(0, 2_000));
    Agent ada =
        team.external(
            """
            - { name: flood, description: d, executionType: gateway, execution: { url: SERVICE/flood } }
            """);
    enter(ada);
    team.call(ada, "flood", "{}");
    assertThat(reported()).hasSizeGreaterThan(BURST).endsWith(1_999).doesNotHaveDuplicates();
    assertThat(team.told("tool-")).endsWith("tool-result", "tool-call.complete");
  }

  /// Read-only calls, calls with a key and calls without one are recorded in different ways.
  @ParameterizedTest
  @CsvSource({
    "gateway, true, GET, true, false",
    "gateway, true, POST, false, false",
    "external, true, POST, true, false",
    "gateway, false, GET, true, false",
    "gateway, false, GET, true, true",
    "gateway, false, POST, true, true",
    "gateway, false, POST, false, true",
    "external, false, POST, true, true"
  })
  @Requirement({"S3-12", "S3-14", "C15"})
  void progress_outside_of_spaces_is_an_event_of_the_run(
      String type, boolean visible, String method, boolean hasKey, boolean inSpace) {
    team.service.answers("/x", 200, "application/x-ndjson", lines(0, 2));
    Agent ada =
        team.external(
            "- { name: one, description: d, executionType: %s, visible: %s, execution: { url: SERVICE/x, method: %s } }"
                .formatted(type, visible, method));
    team.space("lab", ada);
    if (inSpace) {
      team.call(ada, "enter_space", "{'spaceId': 'lab'}");
    }
    JsonNode reply = hasKey ? team.call(ada, "one", "{}") : team.callOnce(ada, "one", "{}");
    assertThat(reply.path("n").asInt()).isEqualTo(1);
    assertThat(team.told("tool-")).containsExactly("tool-result", "tool-result");
    for (JsonNode event : team.payloads("tool-result")) {
      assertThat(event.path("preliminary").asBoolean()).isTrue();
      assertThat(event.path("agent").asText()).isEqualTo("ada");
      assertThat(event.path("toolName").asText()).isEqualTo("one");
      assertThat(event.path("callId").asText()).isNotEmpty();
      assertThat(event.has("space")).isFalse();
    }
    assertThat(reported()).containsExactly(0, 1);
    assertThat(ofProgress("space_id is null and run_id is not null and agent_id is not null"))
        .as("only the operator sees it")
        .hasSize(2);
    assertThat(team.shown("lab")).isEmpty();
  }

  private List<String> ofProgress(String condition) {
    Await.until(() ->
        team.rows("select kind from event_log where kind = 'tool-result'", "kind").size() == 2);
    return team.rows(
        "select kind from event_log where kind = 'tool-result' and " + condition, "kind");
  }

  @Test
  void progress_of_an_internal_tool_is_not_an_event() {
    team.service.answers("/x", 200, "application/x-ndjson", lines(0, 2));
    Agent ada =
        team.external(
            "- { name: one, description: d, executionType: internal, execution: { url: SERVICE/x } }");
    assertThat(team.call(ada, "one", "{}").path("n").asInt()).isEqualTo(1);
    assertThat(team.told("tool-")).isEmpty();
  }

  @Test
  void redaction_applies_outside_of_spaces() {
    team.service.answers(
        "/x", 200, "application/x-ndjson", "{\"n\":0,\"token\":\"hush\"}\n{\"n\":1}\n");
    Agent ada =
        team.external(
            """
            - { name: one, description: d, executionType: gateway, visible: false,
                middleware: [{ redact: { keys: [token] } }], execution: { url: SERVICE/x } }
            """);
    team.call(ada, "one", "{}");
    assertThat(team.payloads("tool-result").getFirst().path("output"))
        .isEqualTo(Json.own("{\"n\":0,\"token\":\"[redacted]\"}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"in a space", "in no space", "not visible"})
  @Requirement("C9")
  void progress_after_the_call_became_pending_is_an_event(String where) {
    String visible = where.equals("not visible") ? "false" : "true";
    Agent ada = ada("executionType: gateway, visible: " + visible, ", inlineSeconds: 0");
    if (!where.equals("in no space")) {
      enter(ada);
    }
    ToolResult reply = team.reply(ada, "job", "{}");
    assertThat(reply).isInstanceOf(ToolResult.Pending.class);
    for (int n = 0; n < 3; n++) {
      service.send(lines(n, n + 1));
      awaitReported(n);
    }
    assertThat(find(reply).status().isOver()).isFalse();
    service.end();
    Await.until(() -> find(reply).status().isOver());
    assertThat(String.valueOf(find(reply).result())).isEqualTo("{\"n\":2}");
    assertThat(reported()).containsExactly(0, 1, 2);
    for (JsonNode event : team.payloads("tool-result")) {
      assertThat(event.path("space").asText()).isEqualTo(where.equals("in a space") ? "lab" : "");
    }
  }

  private PendingCall find(ToolResult reply) {
    String id = reply.json().path("pendingToolCallId").asText();
    return team.database.<PendingCall>read(tx -> PendingCalls.find(tx, id).orElseThrow());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Requirement({"C9", "N1"})
  void progress_of_a_call_repeated_after_a_restart_is_an_event(boolean visible) {
    var answer = new CountDownLatch(1);
    team.service.before("/slow", _ -> await(answer));
    team.service.answers("/slow", 200, "application/x-ndjson", lines(0, 2));
    Agent ada =
        team.external(
            """
            - { name: slow, description: d, executionType: gateway, visible: %s,
                execution: { url: SERVICE/slow, inlineSeconds: 0 } }
            """
                .formatted(visible));
    enter(ada);
    team.engine.pipeline().background().start("here", Duration.ofMinutes(10));
    ToolResult reply = team.reply(ada, "slow", "{}");
    Await.until(() -> team.service.requests.size() == 1);
    team.engine.pipeline().background().close();

    Engine restarted = team.another();
    restarted.pipeline().background().start("here", Duration.ofMinutes(10));
    assertThat(restarted.sweeps().stream().mapToInt(IntSupplier::getAsInt).sum()).isPositive();
    Await.until(() -> team.service.requests.size() == 2);
    answer.countDown();
    Await.until(() -> find(reply).status().isOver());
    assertThat(reported()).containsExactly(0, 1);
    for (JsonNode event : team.payloads("tool-result")) {
      assertThat(event.path("space").asText()).isEqualTo(visible ? "lab" : "");
    }
    restarted.pipeline().background().close();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
