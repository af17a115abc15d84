package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An external agent: when its messages count as read, and that it is served whatever other agents
/// do.
@OnOneDatabase
final class ExternalInboxTest {
  /// Far more than any call takes, far less than a turn that hangs.
  private static final int BOUND_SECONDS = 20;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final TestClient eva;

  ExternalInboxTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    daemon.post("/api/agents", "{\"name\":\"eva\",\"provider\":{\"name\":\"external\"}}");
    this.eva = daemon.as(daemon.post("/api/agents/eva/tokens", "{}").text("token"));
  }

  @AfterEach
  void close() throws IOException {
    eva.close();
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"N1", "S0-22", "S1-16"})
  void messages_count_as_read_with_the_next_request_of_any_kind() {
    String id = write("hello");
    assertThat(call("check_inbox", "{}", "k1")).contains("hello");
    assertThat(status(id)).isEqualTo("injected");

    eva.post("/mcp", request("tools/list", "{}"));

    assertThat(status(id)).isEqualTo("read");
    assertThat(daemon.get("/api/agents/eva").body().path("pendingCount").asInt()).isZero();
  }

  @Test
  @Requirement("N1")
  void read_messages_stay_read_after_termination() {
    String id = write("hello");
    call("check_inbox", "{}", "k1");
    eva.post("/mcp", request("tools/list", "{}"));

    daemon.delete("/api/agents/eva");

    assertThat(status(id)).isEqualTo("read");
  }

  @Test
  void a_repeated_request_gets_the_same_batch_even_in_a_new_session() {
    write("hello");
    String lost = call("check_inbox", "{}", "k1");
    eva.post("/mcp", request("initialize", "{}"));
    eva.post("/mcp", request("tools/list", "{}"));

    assertThat(call("check_inbox", "{}", "k1")).isEqualTo(lost);
    assertThat(call("check_inbox", "{}", "k2")).doesNotContain("hello");
  }

  @Test
  @Requirement({"S0-7", "S0-8", "S1-7"})
  void every_call_returns_while_all_slots_are_held_by_turns_that_hang() throws Exception {
    for (int i = 0; i < 4; i++) {
      daemon.createAgent("busy" + i, "[{\"do\":[{\"hang\":true}]}]");
      daemon.post("/api/agents/busy" + i + "/messages", "{\"text\":\"work\"}");
    }
    while (busySlots() < 4) {
      Thread.onSpinWait();
    }

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answers = new ArrayList<Future<String>>();
      for (String[] one : CALLS) {
        for (int i = 0; i < 5; i++) {
          String key = one[0] + i;
          answers.add(threads.submit(() -> call(one[0], one[1], key)));
        }
      }
      for (var answer : answers) {
        assertThat(answer.get(BOUND_SECONDS, TimeUnit.SECONDS)).isNotEmpty();
      }
    }
    assertThat(busySlots()).isEqualTo(4);
  }

  private static final List<String[]> CALLS =
      List.of(
          new String[] {"send_message", "{\"recipient\":\"USER\",\"text\":\"x\"}"},
          new String[] {"broadcast", "{\"text\":\"x\"}"},
          new String[] {"check_inbox", "{}"},
          new String[] {"spawn_agent", "{\"name\":\"kid\",\"instructions\":\"x\"}"},
          new String[] {"inspect_agent", "{\"name\":\"kid\"}"},
          new String[] {"list_children", "{}"},
          new String[] {"remind_me", "{\"text\":\"x\",\"in_seconds\":3600}"},
          new String[] {"complete", "{\"text\":\"x\"}"});

  private int busySlots() {
    return daemon.get("/api/status").body().path("slots").path("busy").asInt();
  }

  private String write(String text) {
    return daemon
        .post("/api/agents/eva/messages", "{\"text\":\"" + text + "\",\"sync\":false}")
        .text("message_id");
  }

  private String status(String message) {
    return daemon.get("/api/messages/" + message).text("status");
  }

  private String call(String tool, String arguments, String key) {
    JsonNode answer =
        eva.post(
                "/mcp",
                request(
                    "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments)),
                "Idempotency-Key",
                key)
            .body();
    return answer.path("result").path("structuredContent").toString();
  }

  private static String request(String method, String parameters) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, parameters);
  }
}
