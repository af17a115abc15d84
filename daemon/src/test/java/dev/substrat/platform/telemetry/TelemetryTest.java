package dev.substrat.platform.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.substrat.platform.telemetry.FakeOtlpCollector.Span;
import dev.substrat.protocol.Fault;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Prerequisite;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
final class TelemetryTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final Map<String, Span> seen = new LinkedHashMap<>();

  @AfterEach
  void clean() throws IOException {
    place.close();
  }

  @Test
  void metrics_count_requests_by_outcome_and_show_slot_use() {
    try (var daemon = TestDaemon.on(place)) {
      daemon.get("/api/agents");
      daemon.get("/api/agents/nobody");
      String metrics = daemon.get("/metrics").body().asText();

      assertThat(metrics)
          .contains("substrat_http_requests_seconds_count{route=\"/api/agents\",status=\"200\"} 1")
          .contains("route=\"/api/agents/{id}\",status=\"404\"")
          .contains("substrat_slots_busy 0")
          .contains("substrat_slots 4")
          .contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void metrics_report_turns_queue_and_database() {
    try (var daemon = TestDaemon.on(place)) {
      daemon.createAgent("mira", "[{\"do\": [{\"say\": \"ok\"}]}]");
      daemon.createAgent("ben", "[{\"do\": [{\"fail\": \"no\"}]}]");
      daemon.post("/api/agents/mira/messages", "{\"text\": \"go\"}");
      daemon.post("/api/agents/ben/messages", "{\"text\": \"go\"}");

      Await.until(() -> {
        String metrics = daemon.get("/metrics").body().asText();
        return metrics.contains("substrat_turns_total{provider=\"scripted\",result=\"done\"} 1.0")
            && metrics.contains("substrat_turns_total{provider=\"scripted\",result=\"failed\"}")
            && metrics.contains("substrat_events_retried_total ")
            && metrics.contains("substrat_inbox_retries_waiting 1.0");
      });
      assertThat(daemon.get("/metrics").body().asText())
          .contains("substrat_inbox_waiting 1.0")
          .contains("substrat_inbox_oldest_age_seconds ")
          .contains("substrat_messages_held 0.0")
          .contains("substrat_messages_dead 0.0")
          .contains("substrat_leases 0.0")
          .contains("substrat_events_lag_seconds 0.0")
          .contains("substrat_database_writer_queue ")
          .contains("substrat_database_wal_bytes ")
          .contains("substrat_database_bytes ")
          .contains("substrat_metrics_age_seconds ")
          .contains("substrat_ready 1.0");
    }
  }

  @Test
  void a_run_links_to_its_trace() {
    var environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT",
            "http://127.0.0.1:9",
            "SUBSTRAT_TRACE_URL",
            "https://traces.test/search?run={run}");
    try (var telemetry = Telemetry.from(environment)) {
      assertThat(telemetry.traceUrl("r1")).contains("https://traces.test/search?run=r1");
    }
    try (var quiet = Telemetry.from(Map.of("SUBSTRAT_TRACE_URL", "https://traces.test"))) {
      assertThat(quiet.traceUrl("r1")).as("there are no spans").isEmpty();
    }
    assertThatThrownBy(() ->
            Telemetry.from(
                Map.of(
                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                    "http://127.0.0.1:9",
                    "SUBSTRAT_TRACE_URL",
                    "javascript:alert(1)")))
        .isInstanceOf(Fault.class);
  }

  /// Clients can send any path; as a label, each would use memory.
  @Test
  void unknown_paths_share_one_label() {
    try (var daemon = TestDaemon.on(place)) {
      for (int i = 0; i < 20; i++) {
        daemon.get("/unknown/" + i);
      }
      assertThat(daemon.get("/metrics").body().asText())
          .contains("{route=\"none\",status=\"404\"} 20")
          .doesNotContain("unknown");
    }
  }

  @Test
  void without_a_collector_there_are_no_spans() {
    try (var telemetry = Telemetry.from(Map.of("OTEL_SERVICE_NAME", "other"))) {
      assertThat(telemetry.isExporting()).isFalse();
    }
  }

  @Test
  @Requirement("S4-21")
  void spans_of_requests_turns_steps_and_tools_arrive_at_the_collector() throws Exception {
    try (var collector = new FakeOtlpCollector()) {
      try (var daemon = TestDaemon.on(place, place.directory(), environment(collector))) {
        daemon.createAgent("mira", CALLS);
        daemon.post("/api/agents/mira/messages", "{\"text\": \"go\"}");

        Span turn = awaitSpan(collector, "turn mira");
        awaitSpan(collector, "tool send_message");
        assertThat(seen).containsKeys("POST /api/agents", "POST /api/agents/{id}/messages");
        assertThat(turn.service()).contains("service.name", "substrat");
        assertThat(turn.parent()).isEmpty();
        assertGrandchild(turn, "tool send_message");
      }
    }
  }

  /// A program calls over HTTP, on a thread of the server: its calls still belong to its turn.
  @Test
  @Requirement("S4-21")
  void calls_over_mcp_nest_in_their_turn_too(@TempDir Path directory) throws Exception {
    Prerequisite.requireProgram("/usr/bin/python3");
    Files.writeString(directory.resolve("agent.py"), PROGRAM);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var collector = new FakeOtlpCollector();
        var daemon = TestDaemon.on(place, place.directory(), environment(collector))) {
      var created =
          daemon.post(
              "/api/agents",
              """
              {"name":"noor","provider":
               {"name":"scripted","command":["/usr/bin/python3","agent.py"],"directory":"%s"}}
              """
                  .formatted(directory));
      assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
      daemon.post("/api/agents/noor/messages", "{\"text\": \"go\"}");

      assertGrandchild(awaitSpan(collector, "turn noor"), "tool list_children");
    }
  }

  private void assertGrandchild(Span turn, String name) {
    Span tool = Objects.requireNonNull(seen.get(name), name);
    assertThat(tool.trace()).isEqualTo(turn.trace());
    assertThat(seen.values().stream().filter(span -> span.id().equals(tool.parent())))
        .extracting(Span::name, Span::parent, Span::trace)
        .containsExactly(tuple("step", turn.id(), turn.trace()));
  }

  /// Takes spans until one of that name; the steps of a turn are kept apart.
  private Span awaitSpan(FakeOtlpCollector collector, String name) throws InterruptedException {
    while (!seen.containsKey(name)) {
      Span span = collector.spans().poll(120, TimeUnit.SECONDS);
      assertThat(span).as("spans so far: %s", seen.keySet()).isNotNull();
      seen.put(span.name().equals("step") ? "step " + span.id() : span.name(), span);
    }
    return Objects.requireNonNull(seen.get(name));
  }

  private static final String PROGRAM =
      """
      import json, os, sys, urllib.request

      sys.stdin.readline()
      call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
              "params": {"name": "list_children", "arguments": {}}}
      urllib.request.urlopen(urllib.request.Request(
          os.environ["SUBSTRAT_MCP_URL"], json.dumps(call).encode(),
          {"Authorization": "Bearer " + os.environ["SUBSTRAT_TOKEN"]})).read()
      print(json.dumps({"type": "done", "response": "over"}), flush=True)
      """;

  @Test
  void unsent_spans_are_exported_at_shutdown() throws Exception {
    try (var collector = new FakeOtlpCollector()) {
      var patient = new HashMap<>(environment(collector));
      patient.put("OTEL_BSP_SCHEDULE_DELAY", "600000");
      patient.put("OTEL_SERVICE_NAME", "harbor");
      try (var daemon = TestDaemon.on(place, place.directory(), patient)) {
        daemon.get("/healthz");
        assertThat(collector.spans()).isEmpty();
      }
      Span span = collector.spans().poll(120, TimeUnit.SECONDS);
      assertThat(span).isNotNull();
      assertThat(span.name()).isEqualTo("GET /healthz");
      assertThat(span.service()).contains("harbor");
    }
  }

  @Test
  void an_unreachable_collector_delays_nothing() {
    var collector = new FakeOtlpCollector();
    collector.close();
    try (var daemon = TestDaemon.on(place, place.directory(), environment(collector))) {
      assertThat(daemon.get("/api/agents").status()).isEqualTo(200);
    }
  }

  private static final String CALLS =
      """
      [{"do": [{"call": "send_message", "with": {"recipient": "ada", "text": "hello"}}]}]
      """;

  private static Map<String, String> environment(FakeOtlpCollector collector) {
    return Map.of(
        "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(), "OTEL_BSP_SCHEDULE_DELAY", "50");
  }
}
