package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Messages that are held, failing, dead or withdrawn, over HTTP.
@OnEveryDatabase
@Timeout(300)
final class DeliveryRoutesTest {
  private static final String PING =
      "{\"call\":\"send_message\",\"with\":{\"recipient\":\"%s\",\"text\":\"%s\",\"sync\":%s}}";

  private final TestDatabase place;
  private final TestDaemon daemon;

  DeliveryRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"N1", "N2"})
  void a_held_message_names_its_guard_and_can_be_released() {
    JsonNode held = loop(false);
    String id = held.path("message_id").asText();

    assertThat(held.path("kind").asText()).isEqualTo("message");
    assertThat(held.path("held").asText())
        .startsWith("loop guard: the same text was already sent 3 times")
        .endsWith("mira → ben → mira → ben)");
    JsonNode shown = daemon.get("/api/messages/" + id).body();
    assertThat(shown.path("held")).isEqualTo(held.path("held"));
    assertThat(shown.at("/condition/state").asText()).isEqualTo("held");
    assertThat(condition("ben").path("held").asInt()).isEqualTo(1);
    assertThat(ids("/api/messages?held=true")).containsExactly(id);
    assertThat(ids("/api/messages?held=true&agent=mira")).containsExactly(id);

    assertThat(act(id, "release").status()).isEqualTo(204);

    assertThat(daemon.get("/api/held").body().path("messages").findValuesAsText("message_id"))
        .doesNotContain(id);
    await(() -> status(id).equals("read"));
    Problems.require(act(id, "release"), 409, "CONFLICT");
  }

  @Test
  void an_unknown_filter_is_rejected_with_the_known_ones() {
    Answer refused = daemon.get("/api/messages?status=dead");

    Problems.require(refused, 400, "INVALID_ARGUMENTS");
    assertThat(refused.text("hint")).contains("held=true", "dead=true", "before");
  }

  @Test
  @Requirement({"N1", "N2"})
  void a_held_question_that_is_withdrawn_ends_and_its_asker_gets_a_notice() {
    String id = loop(true).path("message_id").asText();

    assertThat(act(id, "withdraw").status()).isEqualTo(204);

    JsonNode message = daemon.get("/api/messages/" + id).body();
    assertThat(message.path("status").asText()).isEqualTo("dead");
    assertThat(message.path("reason").asText()).isEqualTo("withdrawn by the operator");
    assertThat(message.has("held")).isFalse();
    assertThat(condition("ben").path("held").asInt()).isZero();
    assertThat(daemon.get("/api/agents/mira/messages").body().path("messages"))
        .filteredOn(one -> one.path("in_reply_to").asText().equals(id))
        .extracting(one -> one.path("text").asText())
        .containsExactly(
            "No reply from ben (to message %s): withdrawn by the operator".formatted(id));
    Problems.require(act(id, "withdraw"), 409, "CONFLICT");
  }

  @Test
  @Requirement("N1")
  void a_message_that_waits_is_withdrawn_and_is_never_shown() {
    daemon.createAgent("ada", "[{\"do\":[{\"say\":\"aye\"}]}]");
    daemon.post("/api/agents/ada/gate", "{\"gated\":true}");
    String unwanted = send("ada", "do not do this");
    String wanted = send("ada", "do this");

    assertThat(act(unwanted, "withdraw").status()).isEqualTo(204);
    daemon.post("/api/agents/ada/gate", "{\"gated\":false}");

    await(() -> status(wanted).equals("replied"));
    assertThat(status(unwanted)).isEqualTo("dead");
    assertThat(daemon.get("/api/messages/" + unwanted).body().path("history"))
        .extracting(step -> step.path("status").asText())
        .containsExactly("stored", "dead");
    assertThat(daemon.get("/api/inbox").body().path("messages"))
        .as("it is the operator's message")
        .hasSize(1);
    assertThat(daemon.get("/api/runs?agent=ada").body().path("runs")).hasSize(1);
    Answer refused = act(wanted, "withdraw");
    Problems.require(refused, 409, "CONFLICT");
    assertThat(refused.text("message")).contains("it is already replied");

    assertThat(act(unwanted, "retry").status()).as("it can be sent after all").isEqualTo(204);
    await(() -> status(unwanted).equals("replied"));
  }

  @Test
  @Requirement("N1")
  void a_message_that_a_turn_was_shown_cannot_be_withdrawn() {
    daemon.createAgent("ada", "[{\"do\":[{\"fail\":\"no model\"}]}]");
    String id = send("ada", "hello");
    await(() -> condition("ada").path("state").asText().equals("failing"));

    Answer refused = act(id, "withdraw");

    Problems.require(refused, 409, "CONFLICT");
    assertThat(refused.text("message")).contains("a turn of ada has already received it");
  }

  @Test
  @Requirement({"N1", "A12"})
  void a_failing_message_shows_attempts_reason_and_next_attempt() {
    daemon.createAgent("ada", "[{\"do\":[{\"fail\":\"no model\"}]}]");
    String id = send("ada", "hello");
    await(() -> condition("ada").path("attempts").asInt() >= 2 && isBackingOff("ada"));

    JsonNode condition = condition("ada");
    JsonNode message = daemon.get("/api/messages/" + id).body();
    JsonNode briefing = daemon.get("/api/agents/ada/briefing").body();

    assertThat(condition.path("reason").asText()).isEqualTo("no model");
    assertThat(Instant.parse(condition.path("nextTryAt").asText())).isNotNull();
    assertThat(message.path("attempts").asInt()).isGreaterThanOrEqualTo(2);
    assertThat(message.at("/delay/reason").asText()).isEqualTo("no model");
    assertThat(message.at("/run/status").asText()).isIn("failed", "running");
    assertThat(message.at("/run/turn").asInt()).isGreaterThanOrEqualTo(2);
    assertThat(briefing.path("turn").isNull()).as("%s", briefing).isTrue();
    assertThat(briefing.path("waits").asText()).isEqualTo("no model");
    assertThat(briefing.hasNonNull("nextTryAt")).isTrue();
    assertThat(daemon.get("/api/agents").body().at("/agents/0/condition/state").asText())
        .isIn("failing", "busy", "queued");
  }

  @Test
  @Requirement("N1")
  void a_dead_letter_to_a_terminated_agent_is_refused() {
    daemon.createAgent("ada", "[]");
    daemon.post("/api/agents/ada/gate", "{\"gated\":true}");
    String id = send("ada", "hello");
    daemon.delete("/api/agents/ada");

    JsonNode dead = daemon.get("/api/messages/" + id).body();
    Answer refused = act(id, "retry");

    assertThat(dead.path("can_retry").isBoolean()).isTrue();
    assertThat(dead.path("can_retry").asBoolean()).isFalse();
    Problems.require(refused, 409, "CONFLICT");
    assertThat(refused.text("message"))
        .isEqualTo("message %s cannot be retried: its recipient ada was terminated".formatted(id));
    assertThat(refused.text("hint")).contains("substrat send");
    assertThat(status(id)).isEqualTo("dead");
    assertThat(ids("/api/messages?dead=true&agent=ada")).containsExactly(id);
  }

  @Test
  void an_agent_shows_what_blocks_it_over_http() {
    daemon.createAgent("ada", "[]");
    daemon.post("/api/agents/ada/gate", "{\"gated\":true}");
    String id = send("ada", "hello");

    assertThat(condition("ada").path("state").asText()).isEqualTo("paused");
    assertThat(daemon.get("/api/messages/" + id).body().at("/condition/state").asText())
        .isEqualTo("paused");
    JsonNode briefing = daemon.get("/api/agents/ada/briefing").body();
    assertThat(briefing.path("turn").isNull()).isTrue();
    assertThat(briefing.path("waits").asText()).contains("paused");

    daemon.createAgent(
        "mira",
        "[{\"when\":{\"text\":\"^go\"},\"do\":[%s]}]".formatted(PING.formatted("USER", "?", true)));
    assertThat(condition("mira").path("state").asText()).isEqualTo("idle");
    daemon.post("/api/agents/mira/messages", "{\"text\":\"go\",\"sync\":false}");
    await(() -> condition("mira").path("state").asText().equals("waiting"));
    JsonNode waiting = condition("mira").at("/waitingFor/0");
    assertThat(waiting.path("agent").asText()).isEqualTo("operator");
    assertThat(Instant.parse(waiting.path("since").asText())).isBefore(Instant.now());
    assertThat(condition("mira").path("reason").asText())
        .isEqualTo("it waits for a reply from operator");
  }

  @Test
  void messages_are_listed_newest_first_in_pages_and_found_by_the_beginning_of_their_id() {
    daemon.createAgent("ada", "[]");
    daemon.createAgent("ben", "[]");
    daemon.post("/api/agents/ada/gate", "{\"gated\":true}");
    daemon.post("/api/agents/ben/gate", "{\"gated\":true}");
    String first = send("ada", "one");
    String second = send("ben", "two");
    String third = send("ada", "three");

    JsonNode page = daemon.get("/api/messages?limit=2").body();

    assertThat(page.path("messages").findValuesAsText("message_id")).containsExactly(third, second);
    assertThat(ids("/api/messages?limit=2&before=" + page.path("next").asText()))
        .containsExactly(first);
    assertThat(ids("/api/messages?agent=ada")).containsExactly(third, first);
    assertThat(ids("/api/messages?held=true&dead=true")).isEmpty();
    assertThat(daemon.get("/api/messages/" + first.substring(0, 30)).text("text")).isEqualTo("one");
    Answer ambiguous = daemon.get("/api/messages/" + first.substring(0, 8));
    Problems.require(ambiguous, 409, "CONFLICT");
    assertThat(ambiguous.text("hint")).contains(first, second, third);
    Problems.require(daemon.get("/api/messages/0"), 404, "MESSAGE_NOT_FOUND");
    Problems.require(
        daemon.get("/api/messages/%25%25%25%25%25%25%25%25"), 404, "MESSAGE_NOT_FOUND");
    Problems.require(daemon.get("/api/messages?agent=nobody"), 404, "AGENT_NOT_FOUND");
  }

  @Test
  @Requirement({"A10", "N2"})
  void messages_that_a_space_holds_are_listed_and_released_there() {
    daemon.createAgent("ada", "[]");
    daemon.post(
        "/api/agents",
        """
        {"name":"crier","toolsets":["spaces"],"provider":{"name":"scripted","playbook":
         [{"when":{"kind":"message"},"do":[{"call":"enter_space","with":{"spaceId":"general"}},
           {"call":"send_message","with":{"text":"Land ho"}}]}]}}
        """);
    daemon.post(
        "/api/spaces",
        "{\"name\":\"General\",\"members\":[\"ada\",\"crier\"],\"maxChainDepth\":1}");
    daemon.post("/api/agents/crier/messages", "{\"text\":\"go\",\"sync\":false}");
    await(() -> !daemon.get("/api/held").body().path("messages").isEmpty());

    JsonNode held = daemon.get("/api/held").body().at("/messages/0");

    assertThat(held.path("kind").asText()).as("%s", held).isEqualTo("space_message");
    assertThat(held.path("space").asText()).isEqualTo("general");
    assertThat(held.path("from").asText()).isEqualTo("crier");
    assertThat(held.path("agents")).hasToString("[\"ada\"]");
    assertThat(held.path("held").asText()).startsWith("chain depth: ");
    String id = held.path("message_id").asText();
    assertThat(ids("/api/messages?held=true&agent=ada")).containsExactly(id);
    assertThat(condition("ada").path("state").asText()).isEqualTo("held");
    Answer refused = act(id, "release");
    Problems.require(refused, 409, "CONFLICT");
    assertThat(refused.text("hint")).contains("space release general");
    JsonNode shown = daemon.get("/api/messages/" + id).body();
    assertThat(shown.path("kind").asText()).isEqualTo("space_message");
    assertThat(shown.path("to").asText()).isEqualTo("general");
    assertThat(shown.path("held")).isEqualTo(held.path("held"));

    daemon.post("/api/spaces/general/release", "{}");

    assertThat(daemon.get("/api/held").body().path("messages")).isEmpty();
    assertThat(daemon.get("/api/messages/" + id).body().has("held")).isFalse();
  }

  @Test
  @Requirement("N7")
  void an_agent_has_no_access() {
    daemon.createAgent("ada", "[]");
    String token = daemon.post("/api/agents/ada/tokens", "{}").text("token");
    try (var ada = daemon.as(token)) {
      Problems.require(ada.get("/api/messages"), 403, "FORBIDDEN");
      Problems.require(ada.post("/api/messages/x/withdraw", "{}"), 403, "FORBIDDEN");
    }
  }

  /// Two agents that send each other the same text until the guard holds one; returns that one.
  private JsonNode loop(boolean asks) {
    daemon.createAgent(
        "mira",
        "[{\"when\":{\"kind\":\"message\"},\"do\":[%1$s]},{\"when\":{\"kind\":\"reply\"},\"do\":[%1$s]}]"
            .formatted(PING.formatted("ben", "ping", asks)));
    daemon.post(
        "/api/agents",
        """
        {"name":"ben","parent":"mira","provider":{"name":"scripted","playbook":
         [{"when":{"kind":"message"},"do":[%s]}]}}
        """
            .formatted(PING.formatted("mira", "pong", false)));
    daemon.post("/api/agents/mira/messages", "{\"text\":\"go\",\"sync\":false}");
    await(() -> !daemon.get("/api/held").body().path("messages").isEmpty());
    return daemon.get("/api/held").body().at("/messages/0");
  }

  private boolean isBackingOff(String agent) {
    return daemon.get("/api/agents/" + agent + "/briefing").body().hasNonNull("nextTryAt");
  }

  private JsonNode condition(String agent) {
    return daemon.get("/api/agents/" + agent).body().path("condition");
  }

  private List<String> ids(String path) {
    return daemon.get(path).body().path("messages").findValuesAsText("message_id");
  }

  private String send(String agent, String text) {
    return daemon
        .post("/api/agents/" + agent + "/messages", "{\"text\":\"%s\"}".formatted(text))
        .text("message_id");
  }

  private Answer act(String id, String action) {
    return daemon.post("/api/messages/" + id + "/" + action, "");
  }

  private String status(String id) {
    return daemon.get("/api/messages/" + id).text("status");
  }

  private void await(BooleanSupplier condition) {
    var bell = daemon.engine().events().signal();
    long seen = bell.count();
    try {
      while (!condition.getAsBoolean()) {
        bell.awaitMoreThan(seen, Duration.ofMillis(200));
        seen = bell.count();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
