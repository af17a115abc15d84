package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Runs of external agents.
@OnEveryDatabase
final class ExternalRunsTest {
  private final TestTeam team;
  private final Agent ada;

  ExternalRunsTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.ada = team.agent("{name: ada, provider: {name: external}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void a_just_terminated_agent_gets_no_run() {
    team.agents.terminate("ada");

    assertThatThrownBy(() -> team.engine.externalRuns().caller(ada))
        .isInstanceOfSatisfying(
            Fault.class, fault -> assertThat(fault.code()).isEqualTo(ErrorCode.AGENT_NOT_FOUND));
    assertThat(team.runs.newest(ada.id(), 10)).isEmpty();
  }

  @Test
  void a_delivered_reminder_is_not_set_again_by_the_same_call() {
    remind();
    team.clock.pass(Duration.ofSeconds(2));
    assertThat(fired()).isEqualTo(1);

    remind();
    team.clock.pass(Duration.ofSeconds(2));

    assertThat(fired()).isZero();
  }

  @Test
  @Requirement({"A6", "S0-35", "S1-22"})
  void calls_of_unknown_tools_count_for_the_rate_limit() {
    Agent eva = team.agent("{name: eva, provider: {name: external}, limits: {callsPerMinute: 3}}");
    var caller = team.engine.externalRuns().caller(eva);
    var codes = new ArrayList<String>();

    for (int i = 0; i < 4; i++) {
      var call = new ToolCall(caller, 0, MessageId.random().value(), null);
      var answer = team.engine.pipeline().call(call, "made_up_" + i, Json.object());
      codes.add(answer.reply().json().path("code").asText());
    }

    assertThat(codes)
        .containsExactly("UNKNOWN_TOOL", "UNKNOWN_TOOL", "UNKNOWN_TOOL", "RATE_LIMITED");
  }

  @Test
  @Requirement({"A12", "A4"})
  void an_external_agent_with_several_open_questions_names_the_one_it_completes() {
    team.agent("{name: ben, parent: ada, provider: {name: external}}");
    team.agent("{name: eva, parent: ada, provider: {name: external}}");
    for (String asker : List.of("ben", "eva")) {
      call(asker, "send_message", "ask", Json.object().put("recipient", "ada").put("text", "?"));
    }
    call("ada", "check_inbox", "look", Json.object());

    var vague = call("ada", "complete", "vague", Json.object().put("text", "42"));
    assertThat(vague.path("code").asText()).isEqualTo("INVALID_ARGUMENTS");
    String question = vague.path("hint").asText().substring("use one of: ".length()).split(",")[0];
    ObjectNode answer = Json.object().put("text", "42").put("in_reply_to", question);
    var first = call("ada", "complete", "done", answer);
    var again = call("ada", "complete", "done", answer);

    assertThat(first.path("answered").asInt()).isEqualTo(1);
    assertThat(again).isEqualTo(first);
    assertThat(
            call("ada", "complete", "rest", Json.object().put("text", "43"))
                .path("answered")
                .asInt())
        .as("only one is left")
        .isEqualTo(1);
  }

  @Test
  @Requirement("A12")
  void a_repeated_reminder_call_returns_the_same_result_after_it_fired() {
    var soon = Json.object().put("text", "tea").put("in_seconds", 60);
    var first = call("ada", "remind_me", "tea", soon);
    team.clock.pass(Duration.ofSeconds(70));
    fired();

    assertThat(call("ada", "remind_me", "tea", soon)).isEqualTo(first);
  }

  private JsonNode call(String agent, String tool, String key, ObjectNode arguments) {
    var caller = team.engine.externalRuns().caller(team.agents.require(agent));
    var call = new ToolCall(caller, 0, MessageId.random().value(), key);
    return team.engine.pipeline().call(call, tool, arguments).reply().json();
  }

  private void remind() {
    var caller = team.engine.externalRuns().caller(ada);
    var call = new ToolCall(caller, 0, MessageId.random().value(), "the same key");
    var reply =
        team.engine
            .pipeline()
            .call(call, "remind_me", Json.object().put("text", "tea").put("in_seconds", 1));
    assertThat(reply.reply().json().path("status").asText()).isEqualTo("scheduled");
  }

  private int fired() {
    return team.engine.sweeps().stream().mapToInt(sweep -> sweep.getAsInt()).sum();
  }
}
