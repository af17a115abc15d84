package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader.Received;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The event stream of a whole daemon.
@OnEveryDatabase
@Timeout(300)
final class EventRoutesTest {
  private static final String ECHO = "[{\"do\": [{\"say\": \"{{event.text}}\"}]}]";

  private final TestDaemon daemon;

  EventRoutesTest(TestDatabase place) {
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void stop() {
    daemon.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/events", "/api/sse"})
  void a_stream_starts_with_the_current_state(String path) {
    try (var reader = open(path)) {
      Received hello = reader.event();
      assertThat(hello.event()).isEqualTo("connected");
      assertThat(hello.id()).isEmpty();
      assertThat(hello.data().path("active").isArray()).isTrue();
      assertThat(hello.data().path("lastEvent").asLong())
          .isEqualTo(daemon.get("/api/status").body().path("lastEvent").asLong());
    }
  }

  @Test
  void events_of_a_message_are_streamed_from_sending_to_reply() {
    try (var reader = open("/api/events")) {
      reader.event("connected");
      JsonNode ada = daemon.createAgent("ada", ECHO);
      Received created = reader.event("agent_created");
      assertThat(created.data().path("agentId")).isEqualTo(ada.path("id"));
      assertThat(created.data().path("agent")).isEqualTo(ada.path("handle"));

      String sent = send(ada, "hello");
      assertThat(reader.event("message_sent").data().path("message_id").asText()).isEqualTo(sent);
      Received turn = reader.event("turn_started");
      assertThat(turn.data().path("runId").asText()).isNotEmpty();
      assertThat(reader.event("message_replied").data().path("message_id").asText())
          .isEqualTo(sent);
      assertThat(reader.event("turn_ended").data().path("response").asText()).isEqualTo("hello");
    }
  }

  /// For pages: the rule is the daemon's, so that no script needs a copy of it.
  @Test
  void a_display_stream_escapes_hidden_characters_and_other_streams_are_exact() {
    String text = "go\u202eog\u200b\u0007 می\u200cخواهم";
    JsonNode ada = daemon.createAgent("ada", ECHO);
    send(ada, text.replace("\u0007", "\\u0007"));
    String path = "/api/events?after=0&kinds=turn_ended&agent=" + ada.path("id").asText();
    try (var exact = open(path);
        var shown = open(path + "&visible=true")) {
      assertThat(exact.event("turn_ended").data().path("response").asText()).isEqualTo(text);
      assertThat(shown.event("turn_ended").data().path("response").asText())
          .isEqualTo("go\\u{202E}og\\u{200B}\\u{7} می\u200cخواهم");
    }
  }

  @Test
  void a_filter_lets_through_one_agent_or_one_run() {
    JsonNode ada = daemon.createAgent("ada", ECHO);
    JsonNode ben = daemon.createAgent("ben", ECHO);
    String handle = ben.path("handle").asText();
    try (var reader = open("/api/events?after=0&agent=" + handle)) {
      send(ada, "for ada");
      send(ben, "for ben");
      reader.event("connected");
      Received event = reader.event();
      while (!event.event().equals("turn_ended")) {
        assertThat(event.data().toString())
            .containsAnyOf(ben.path("id").asText(), "\"" + handle + "\"")
            .doesNotContain(ada.path("id").asText());
        event = reader.event();
      }
      String run = event.data().path("runId").asText();
      try (var ofRun = open("/api/events?after=0&run=" + run)) {
        ofRun.event("connected");
        assertThat(ofRun.event().event()).isEqualTo("turn_started");
        assertThat(ofRun.event("turn_ended").data().path("runId").asText()).isEqualTo(run);
      }
    }
  }

  @Test
  void a_stop_ends_the_stream_with_the_resume_position() {
    try (var reader = open("/api/events")) {
      reader.event("connected");
      daemon.createAgent("ada", "[]");
      long seq = reader.event("agent_created").seq();
      assertThat(daemon.post("/api/shutdown", "").text("status")).isEqualTo("stopping");
      daemon.close();
      Received goodbye = reader.event("goodbye");
      assertThat(goodbye.id()).isEmpty();
      assertThat(goodbye.data().path("resumeAfter").asLong()).isEqualTo(seq);
      assertThat(reader.next()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "1.5", "99999999999999999999", "-1"})
  void a_resume_position_must_be_a_number(String id) {
    Problems.require(
        daemon.client().get("/api/events", "Last-Event-ID", id), 400, "INVALID_ARGUMENTS");
    Problems.require(daemon.get("/api/events?after=" + id), 400, "INVALID_ARGUMENTS");
  }

  @Test
  void a_filter_lets_through_some_kinds() {
    try (var reader = open("/api/events?kinds=turn_ended,agent_created")) {
      reader.event("connected");
      JsonNode ada = daemon.createAgent("ada", ECHO);
      send(ada, "hello");
      assertThat(reader.event().event()).isEqualTo("agent_created");
      assertThat(reader.event().event()).isEqualTo("turn_ended");
    }
  }

  @Test
  void the_operators_stream_ends_with_its_token() {
    String token = daemon.post("/api/tokens", "{}").text("token");
    try (var reader = new EventReader(daemon.url() + "/api/events", token)) {
      reader.event("connected");
      assertThat(daemon.delete("/api/tokens/" + token.split("_", 3)[1]).status()).isEqualTo(204);
      assertThat(reader.event("goodbye").data().path("resumeAfter").asLong()).isPositive();
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void a_filter_by_an_unknown_agent_is_rejected() {
    Problems.require(daemon.get("/api/events?agent=nobody"), 404, "AGENT_NOT_FOUND");
  }

  private EventReader open(String path) {
    return new EventReader(daemon.url() + path, daemon.token());
  }

  private String send(JsonNode agent, String text) {
    return daemon
        .post(
            "/api/agents/" + agent.path("id").asText() + "/messages",
            "{\"text\": \"" + text + "\", \"sync\": true}")
        .text("message_id");
  }
}
