package dev.substrat.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A daemon is killed while it executes pending calls. Real processes, one slot each.
@Requirement({"C9", "N1"})
@Timeout(300)
final class KilledCallsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir private Path one;
  @TempDir private Path other;

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      Thread.onSpinWait();
    }
  }

  private static RunningDaemon start(TestDatabase place, Path data) throws Exception {
    Files.writeString(data.resolve("config.yaml"), "leaseSeconds: 3\nslots: 1\n");
    var options = new ArrayList<>(List.of("--port", "0", "--allow-host", "127.0.0.1"));
    place.url().ifPresent(url -> Collections.addAll(options, "--db", url));
    return RunningDaemon.ready(data, options.toArray(String[]::new));
  }

  private static Map<String, Object> tool(String name, String method, String url) {
    return Map.of(
        "name",
        name,
        "description",
        "Slow.",
        "executionType",
        "internal",
        "execution",
        Map.of("url", url, "method", method, "inlineSeconds", 0, "timeout", 120_000));
  }

  /// Creates an agent whose turn has ended and whose two calls wait for the service; returns their
  /// ids.
  private static List<String> pending(DaemonClient client, BlockedService service)
      throws Exception {
    var calls =
        List.of(
            Map.of("call", "look", "with", Map.of("n", 1)),
            Map.of("call", "pay", "with", Map.of("n", 2)));
    var playbook =
        List.of(
            Map.of("when", Map.of("kind", "message"), "do", calls),
            Map.of("do", List.of(Map.of("say", "got {{event.text}}"))));
    var created =
        client.post(
            "/api/agents",
            Map.of(
                "name",
                "ada",
                "provider",
                Map.of("name", "scripted", "playbook", playbook),
                "tools",
                List.of(tool("look", "GET", service.url()), tool("pay", "POST", service.url()))));
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    client.post("/api/agents/ada/messages", Map.of("text", "go", "sync", true));
    await(
        () -> service.count() == 2 && runs(client).path(0).path("status").asText().equals("done"));
    String run = runs(client).path(0).path("id").asText();
    var ids = new ArrayList<String>();
    for (JsonNode line : client.get("/api/runs/" + run + "/messages").body().path("messages")) {
      if (line.path("type").asText().equals("tool_return_message")) {
        ids.add(DaemonClient.JSON.readTree(text(line)).path("pendingToolCallId").asText());
      }
    }
    return ids;
  }

  private static String text(JsonNode line) {
    JsonNode content = line.path("content");
    return content.isTextual() ? content.asText() : content.toString();
  }

  /// Both results have started turns, and the last of them answered the question.
  private static boolean isAnswered(DaemonClient client) throws Exception {
    JsonNode runs = runs(client);
    return runs.size() >= 2
        && runs.path(0).path("status").asText().equals("done")
        && runs.path(0).path("response").asText().startsWith("got [Tool Result");
  }

  private static JsonNode runs(DaemonClient client) throws Exception {
    return runs(client, "ada");
  }

  private static JsonNode runs(DaemonClient client, String agent) throws Exception {
    return client.get("/api/runs?agent=" + agent).body().path("runs");
  }

  private static JsonNode call(DaemonClient client, String id) throws Exception {
    return client.get("/api/pending/" + id).body();
  }

  /// The safe call is executed again and gets its result, the other one is reported.
  private static void requireRecovered(
      DaemonClient client, BlockedService service, List<String> ids) throws Exception {
    await(() -> service.count() == 3);
    service.answer();
    await(() -> call(client, ids.get(0)).path("status").asText().equals("resolved"));
    await(() -> call(client, ids.get(1)).path("status").asText().equals("resolved"));
    assertThat(call(client, ids.get(0)).path("result").path("ok").asBoolean()).isTrue();
    JsonNode pay = call(client, ids.get(1)).path("result");
    assertThat(pay.path("code").asText()).isEqualTo("INTERRUPTED");
    assertThat(pay.path("message").asText()).contains("may or may not");
    assertThat(service.requests).containsExactlyInAnyOrder("GET", "POST", "GET");
    await(() -> isAnswered(client));
  }

  @ParameterizedTest
  @EnumSource(Dialect.class)
  void a_restarted_daemon_repeats_the_safe_call_and_reports_the_other(Dialect dialect)
      throws Exception {
    try (var place = TestDatabase.fresh(dialect);
        var service = new BlockedService()) {
      List<String> ids;
      try (var victim = start(place, one);
          var client = victim.client()) {
        ids = pending(client, service);
        victim.kill();
      }
      try (var again = start(place, one);
          var client = again.client()) {
        requireRecovered(client, service, ids);
      }
    }
  }

  /// The turn still waits for the service when the daemon dies. The retried turn repeats a GET and
  /// reports a POST, because it is unknown whether the service executed it.
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void a_call_that_was_inline_when_the_daemon_died_is_repeated_only_if_that_is_safe(Dialect dialect)
      throws Exception {
    try (var place = TestDatabase.fresh(dialect);
        var service = new BlockedService()) {
      try (var victim = start(place, one);
          var client = victim.client()) {
        create(client, inlineAgent("safe", "look", "GET", service.url()));
        create(client, inlineAgent("unsafe", "pay", "POST", service.url()));
        client.post("/api/agents/unsafe/messages", Map.of("text", "go", "sync", true));
        await(() -> service.count() == 1);
        victim.kill();
      }
      try (var next = start(place, one);
          var client = next.client()) {
        await(() -> runs(client, "unsafe").path(0).path("status").asText().equals("done"));
        assertThat(runs(client, "unsafe").path(0).path("response").asText())
            .isEqualTo("got INTERRUPTED");
        assertThat(service.requests).containsExactly("POST");

        client.post("/api/agents/safe/messages", Map.of("text", "go", "sync", true));
        await(() -> service.count() == 2);
        next.kill();
      }
      try (var last = start(place, one);
          var client = last.client()) {
        await(() -> service.count() == 3);
        service.answer();
        await(() -> runs(client, "safe").path(0).path("status").asText().equals("done"));
        assertThat(runs(client, "safe").path(0).path("response").asText()).isEqualTo("got ");
        assertThat(service.requests).containsExactly("POST", "GET", "GET");
      }
    }
  }

  private static Map<String, Object> inlineAgent(
      String name, String tool, String method, String url) {
    var execution = Map.of("url", url, "method", method, "inlineSeconds", 50, "timeout", 120_000);
    var steps =
        List.of(
            Map.of("call", tool, "with", Map.of("n", 1), "save", "result"),
            Map.of("say", "got {{result.code}}"));
    return Map.of(
        "name",
        name,
        "provider",
        Map.of("name", "scripted", "playbook", List.of(Map.of("do", steps))),
        "tools",
        List.of(
            Map.of(
                "name",
                tool,
                "description",
                "Slow.",
                "executionType",
                "internal",
                "execution",
                execution)));
  }

  private static void create(DaemonClient client, Map<String, Object> config) throws Exception {
    var created = client.post("/api/agents", config);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
  }

  @Test
  @Requirement("A17")
  void a_surviving_daemon_takes_over_the_calls_of_a_dead_one() throws Exception {
    try (var place = TestDatabase.fresh(Dialect.POSTGRES);
        var service = new BlockedService();
        var victim = start(place, one);
        var first = victim.client()) {
      List<String> ids = pending(first, service);
      try (var survivor = start(place, other);
          var client = survivor.client()) {
        assertThat(call(client, ids.getFirst()).path("status").asText()).isEqualTo("pending");
        victim.kill();
        requireRecovered(client, service, ids);
      }
    }
  }
}
