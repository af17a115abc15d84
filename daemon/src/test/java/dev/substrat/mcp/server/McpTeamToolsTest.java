package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Results of the team tools over MCP have exactly the documented keys.
@OnOneDatabase
final class McpTeamToolsTest {
  private final McpTeam team;

  McpTeamToolsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({
    "S0-7", "S0-10", "S0-13", "S0-16", "S0-17", "S0-18", "S0-22", "S1-9", "S1-13", "S1-14"
  })
  void a_question_and_its_answer_have_exactly_the_documented_keys() {
    JsonNode sent = team.call("ada", "send_message", "{\"recipient\":\"ben\",\"text\":\"ready?\"}");
    String id = sent.path("message_id").asText();
    assertThat(McpTeam.fields(sent))
        .containsExactly("status", "message_id", "waiting_for_reply", "hint");
    assertThat(sent.path("status").asText()).isEqualTo("sent");
    assertThat(sent.path("waiting_for_reply").asBoolean()).isTrue();

    JsonNode question = team.call("ben", "check_inbox", "{}").path("messages").get(0);
    assertThat(question.path("from").asText()).isEqualTo("ada");
    assertThat(question.path("text").asText()).isEqualTo("ready?");
    assertThat(question.path("message_id").asText()).isEqualTo(id);
    JsonNode reply =
        team.call(
            "ben", "send_message", "{\"recipient\":\"ada\",\"text\":\"aye\\nsir\",\"sync\":false}");
    assertThat(reply.path("waiting_for_reply").asBoolean()).isFalse();

    JsonNode answer = team.call("ada", "check_inbox", "{}").path("messages").get(0);
    assertThat(answer.path("text").asText())
        .isEqualTo("Reply from ben (to message " + id + "):\naye\nsir");
    assertThat(answer.path("kind").asText()).isEqualTo("reply");
  }

  @Test
  @Requirement({"S0-19", "S0-20", "S0-21", "S1-15"})
  void a_broadcast_counts_its_recipients_and_needs_at_least_one() {
    JsonNode sent = team.call("ada", "broadcast", "{\"text\":\"all hands\"}");
    assertThat(McpTeam.fields(sent)).containsExactly("status", "message_id", "recipient_count");
    assertThat(sent.path("recipient_count").asInt()).isEqualTo(1);

    team.call("ben", "check_inbox", "{}");
    team.call("ben", "send_message", "{\"recipient\":\"ada\",\"text\":\"here\",\"sync\":false}");
    assertThat(team.call("ada", "check_inbox", "{}").path("messages").get(0).path("text").asText())
        .isEqualTo("Reply from ben (to message " + sent.path("message_id").asText() + "):\nhere");
    assertThat(team.call("mira", "broadcast", "{\"text\":\"x\"}").path("code").asText())
        .isEqualTo("NO_RECIPIENTS");
  }

  @Test
  @Requirement({"S0-23", "S0-24", "S0-25", "S0-26", "S0-27", "S0-30", "S1-17", "S1-18", "S1-19"})
  void a_child_is_spawned_and_inspected() {
    JsonNode spawned =
        team.call(
            "mira",
            "spawn_agent",
            "{\"name\":\"noor\",\"instructions\":\"review\",\"role\":\"reviewer\"}");
    assertThat(McpTeam.fields(spawned)).containsExactly("status", "agent_id", "name", "hint");
    assertThat(spawned.path("status").asText()).isEqualTo("created");
    assertThat(
            team.call("mira", "spawn_agent", "{\"name\":\"Noor\",\"instructions\":\"x\"}")
                .path("code")
                .asText())
        .isEqualTo("NAME_TAKEN");

    team.call("mira", "send_message", "{\"recipient\":\"noor\",\"text\":\"look\"}");
    JsonNode seen = team.call("mira", "inspect_agent", "{\"name\":\"noor\"}");
    assertThat(seen.path("state").asText()).isIn("idle", "busy", "waiting");
    assertThat(seen.path("recent_messages").get(0).path("text").asText()).isEqualTo("look");
    assertThat(team.call("ada", "inspect_agent", "{\"name\":\"ben\"}").path("code").asText())
        .isEqualTo("AGENT_NOT_FOUND");
    assertThat(
            team.call(
                    "mira",
                    "spawn_agent",
                    "{\"name\":\"x\",\"instructions\":\"x\",\"workspace_subdir\":\"../up\"}")
                .path("code")
                .asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("C13")
  void a_child_is_addressed_by_id_or_name() {
    String id =
        team.call("mira", "spawn_agent", "{\"name\":\"noor\",\"instructions\":\"x\"}")
            .path("agent_id")
            .asText();

    JsonNode sent =
        team.call("mira", "send_message", "{\"recipient\":\"%s\",\"text\":\"?\"}".formatted(id));
    assertThat(sent.path("status").asText()).isEqualTo("sent");
    JsonNode seen = team.call("mira", "inspect_agent", "{\"name\":\"%s\"}".formatted(id));
    assertThat(seen.path("pending_count").asInt()).isEqualTo(2);
  }

  @Test
  void a_late_reply_creates_no_pending_reply_and_an_invalid_reference_is_rejected() {
    String sent = "{\"recipient\":\"ben\",\"text\":\"fyi\",\"sync\":false}";
    String id = team.call("ada", "send_message", sent).path("message_id").asText();
    String late =
        "{\"recipient\":\"ada\",\"text\":\"thanks\",\"in_reply_to\":\"%s\"}".formatted(id);
    assertThat(team.call("ben", "send_message", late).path("waiting_for_reply").asBoolean())
        .isFalse();
    String wrong = "{\"recipient\":\"ada\",\"text\":\"x\",\"in_reply_to\":\"nonsense\"}";
    assertThat(team.call("ben", "send_message", wrong).path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }
}
