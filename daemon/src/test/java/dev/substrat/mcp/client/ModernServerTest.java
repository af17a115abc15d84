package dev.substrat.mcp.client;

import static dev.substrat.mcp.client.TestMcpClients.PLAIN;
import static dev.substrat.mcp.client.TestMcpClients.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.conformance.FixtureServer;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.platform.json.Json;
import dev.substrat.testkit.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Our client with a server of the modern era, mostly our own MCP server.
@Timeout(300)
final class ModernServerTest {
  @TempDir private Path directory;
  private TestMcpClients visits;
  private FixtureServer door;

  @BeforeEach
  void open() {
    visits = new TestMcpClients();
    door = new FixtureServer(directory);
  }

  @AfterEach
  void close() {
    door.close();
    visits.close();
  }

  @Test
  @Requirement("S3-50")
  void tools_are_listed_and_called() {
    try (var client = visits.to(door.url())) {
      assertThat(client.revision()).isEqualTo("2026-07-28");
      assertThat(client.listTools(TestMcpClients.PATIENCE))
          .extracting(ToolDefinition::name)
          .contains("test_simple_text", "json_schema_2020_12_tool");
      assertThat(text(call(client, "test_simple_text", Json.object())))
          .isEqualTo("This is a simple text response for testing.");
      assertThat(call(client, "test_error_handling", Json.object()).path("isError").asBoolean())
          .isTrue();
      client.ping(TestMcpClients.PATIENCE);
    }
  }

  @Test
  void arguments_are_copied_to_headers_if_the_schema_says_so() {
    try (var client = visits.to(door.url())) {
      ToolDefinition mirror = find(client, "test_header_mirror");
      var arguments = Json.object();
      mirror
          .inputSchema()
          .path("properties")
          .properties()
          .forEach(one -> {
            switch (one.getValue().path("type").asText()) {
              case "integer", "number" -> arguments.put(one.getKey(), 7);
              case "boolean" -> arguments.put(one.getKey(), true);
              default -> arguments.put(one.getKey(), "Grüße\n");
            }
          });
      assertThat(text(client.callTool(mirror, arguments, PLAIN))).contains("Grüße");
    }
  }

  @Test
  @Requirement("S3-53")
  void progress_of_a_call_is_received_while_it_runs() {
    var reports = new CopyOnWriteArrayList<String>();
    try (var client = visits.to(door.url())) {
      client.callTool(
          find(client, "test_tool_with_progress"),
          Json.object(),
          new McpClient.CallOptions(
              (done, total, message) -> reports.add(done + "/" + total.orElse(-1) + " " + message),
              TestMcpClients.PATIENCE,
              null));
    }
    assertThat(reports)
        .containsExactly(
            "0.0/100.0 Completed step 0 of 100",
            "50.0/100.0 Completed step 50 of 100",
            "100.0/100.0 Completed step 100 of 100");
  }

  @ParameterizedTest
  @ValueSource(strings = {"elicitation", "sampling", "list_roots"})
  void a_server_request_that_needs_a_person_fails_the_call(String what) {
    try (var client = visits.to(door.url())) {
      var failure =
          TestMcpClients.failure(
              () -> call(client, "test_input_required_result_" + what, Json.object()));
      assertThat(failure.reason()).isEqualTo(FailureReason.REFUSED);
    }
  }

  @Test
  void an_elicitation_is_cancelled_and_the_server_may_continue() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on(
          "tools/call",
          turn ->
              turn.result(
                  turn.params().has("inputResponses")
                      ? FakeMcpServer.said(turn.params().toString())
                      : question("elicitation/create")));
      var params = Json.parse(text(TestMcpClients.call(client)).getBytes(UTF_8));
      assertThat(params.at("/inputResponses/it/action").asText()).isEqualTo("cancel");
      assertThat(params.path("requestState").asText()).isEqualTo("opaque");

      server.on("tools/call", turn -> turn.result(question("elicitation/create")));
      assertThat(TestMcpClients.failure(() -> TestMcpClients.call(client)))
          .hasMessageContaining("which is not supported");
      server.on("tools/call", turn -> turn.result(question("sampling/createMessage")));
      assertThat(TestMcpClients.failure(() -> TestMcpClients.call(client)))
          .hasMessageContaining("which is not supported");
    }
  }

  private static ObjectNode question(String method) {
    var result = Json.object().put("resultType", "input_required").put("requestState", "opaque");
    result.putObject("inputRequests").putObject("it").put("method", method).putObject("params");
    return result;
  }

  @Test
  void a_tool_change_notification_is_received() throws InterruptedException {
    try (var client = visits.to(door.url())) {
      visits.awaitChange(() -> call(client, "test_trigger_tool_change", Json.object()));
    }
  }

  @Test
  void an_interrupted_call_disconnects_and_the_server_notices() throws Exception {
    var begun = new CountDownLatch(1);
    var left = new CountDownLatch(1);
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      server.on(
          "tools/call",
          turn -> {
            var events = turn.events();
            begun.countDown();
            try {
              while (true) {
                events.raw(": still working\n\n");
              }
            } finally {
              left.countDown();
            }
          });
      var failure = new AtomicReference<RemoteFailure>();
      Thread caller =
          Thread.ofVirtual()
              .start(() -> failure.set(TestMcpClients.failure(() -> TestMcpClients.call(client))));
      begun.await();
      caller.interrupt();
      caller.join();
      left.await();
      assertThat(failure.get().reason()).isEqualTo(FailureReason.CANCELLED);
      assertThat(server.count("notifications/cancelled")).isZero();
    }
  }

  @Test
  void concurrent_calls_each_get_their_own_answer() throws Exception {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      var together = new CountDownLatch(8);
      server.on(
          "tools/call",
          turn -> {
            together.countDown();
            awaitAll(together);
            turn.result(FakeMcpServer.said(turn.params().at("/arguments/n").asText()));
          });
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        var answers =
            threads.invokeAll(
                List.of(1, 2, 3, 4, 5, 6, 7, 8).stream()
                    .map(n ->
                        (Callable<String>)
                            () ->
                                text(
                                    client.callTool(
                                        TestMcpClients.WEATHER, Json.object().put("n", n), PLAIN)))
                    .toList());
        for (int i = 0; i < 8; i++) {
          assertThat(answers.get(i).get()).isEqualTo(String.valueOf(i + 1));
        }
      }
    }
  }

  private static void awaitAll(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void the_idempotency_key_is_sent_in_the_metadata() {
    try (var server = FakeMcpServer.modern();
        var client = visits.to(server)) {
      client.callTool(
          TestMcpClients.WEATHER,
          Json.object(),
          new McpClient.CallOptions(RemoteProgress.IGNORED, Duration.ofSeconds(5), "run/7"));
      assertThat(server.last("tools/call").message().at("/params/_meta/substrat~1idempotencyKey"))
          .hasToString("\"run/7\"");
    }
  }

  private static ObjectNode call(McpClient client, String tool, ObjectNode arguments) {
    return client.callTool(find(client, tool), arguments, PLAIN);
  }

  private static ToolDefinition find(McpClient client, String tool) {
    return client.listTools(TestMcpClients.PATIENCE).stream()
        .filter(one -> one.name().equals(tool))
        .findFirst()
        .orElseThrow();
  }
}
