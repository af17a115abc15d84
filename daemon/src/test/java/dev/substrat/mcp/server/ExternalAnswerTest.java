package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An external agent that is not a root answers the person who asked it.
@OnOneDatabase
final class ExternalAnswerTest {
  private final McpTeam team;

  ExternalAnswerTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S0-12", "S0-34"})
  void an_asked_external_agent_may_answer_the_operator() {
    String question = ask("2+2?");
    JsonNode shown = team.call("ada", "check_inbox", "{}").path("messages").path(0);
    assertThat(shown.path("wants_answer").asBoolean()).isTrue();
    assertThat(shown.path("message_id").asText()).isEqualTo(question);

    JsonNode sent = say("USER", "4", "\"in_reply_to\":\"" + question + "\"");

    assertThat(sent.path("waiting_for_reply").asBoolean(true)).as(sent.toString()).isFalse();
    assertThat(reply(question)).isEqualTo("4");
  }

  @Test
  void an_external_agent_may_answer_without_naming_the_question() {
    String question = ask("2+2?");
    assertThat(say("operator", "5", "\"sync\":false").path("code").asText())
        .as("before it was shown")
        .isEqualTo("RECIPIENT_UNREACHABLE");
    team.call("ada", "check_inbox", "{}");

    say("operator", "4", "\"sync\":false");

    assertThat(reply(question)).isEqualTo("4");
  }

  @Test
  void an_external_agent_cannot_write_to_the_operator_first_and_a_counter_question_is_an_answer() {
    String first = say("USER", "hello", "\"sync\":false").toString();
    assertThat(first)
        .contains("RECIPIENT_UNREACHABLE", "without a parent", "while the operator waits");
    ask("2+2?");
    team.call("ada", "check_inbox", "{}");
    JsonNode counterQuestion = say("USER", "why?", "\"sync\":true");
    assertThat(counterQuestion.path("waiting_for_reply").asBoolean()).isFalse();
    assertThat(counterQuestion.hasNonNull("answers")).isTrue();

    assertThat(say("USER", "and one more thing", "\"sync\":false").path("code").asText())
        .isEqualTo("RECIPIENT_UNREACHABLE");
  }

  @Test
  void the_inbox_entry_of_a_reply_names_its_question() {
    String question =
        team.call("mira", "send_message", "{\"recipient\":\"ada\",\"text\":\"ready?\"}")
            .path("message_id")
            .asText();
    team.call("ada", "check_inbox", "{}");
    say("mira", "yes", "\"sync\":false");

    JsonNode entry = team.call("mira", "check_inbox", "{}").path("messages").path(0);

    assertThat(entry.path("kind").asText()).isEqualTo("reply");
    assertThat(entry.path("in_reply_to").asText()).isEqualTo(question);
    assertThat(entry.has("wants_answer")).isFalse();
  }

  @Test
  void complete_answers_only_open_questions() throws IOException {
    String late = ask("an hour ago");
    team.call("ada", "check_inbox", "{}");
    try (var database = team.place().open()) {
      database.transact(tx ->
          tx.update("update pending_reply set deadline = asked_at where message_id = ?", late));
    }
    String inTime = ask("now");
    team.call("ada", "check_inbox", "{}");

    assertThat(team.call("ada", "complete", "{\"text\":\"done\"}").path("answered").asInt())
        .isEqualTo(1);
    assertThat(reply(inTime)).isEqualTo("done");
    assertThat(reply(late)).isEmpty();
  }

  @Test
  void hints_for_external_agents_do_not_mention_turns() {
    JsonNode sent =
        team.rpc(
            "ada",
            "tools/call",
            """
            {"name":"send_message","arguments":{"recipient":"mira","text":"ready?"}}
            """);
    assertThat(sent.toString()).contains("check_inbox").doesNotContain("End your turn");
    assertThat(team.rpc("ada", "tools/list", "{}").toString())
        .doesNotContainIgnoringCase("end your turn")
        .doesNotContain("final text");
    assertThat(team.rpc("ada", "initialize", "{}").path("instructions").asText())
        .contains("wants_answer", "in_reply_to")
        .doesNotContain("come by themselves");
  }

  private String ask(String text) {
    return team.daemon
        .post("/api/agents/ada/messages", "{\"text\":\"%s\",\"sync\":true}".formatted(text))
        .text("message_id");
  }

  private JsonNode say(String recipient, String text, String more) {
    return team.call(
        "ada",
        "send_message",
        "{\"recipient\":\"%s\",\"text\":\"%s\",%s}".formatted(recipient, text, more));
  }

  private String reply(String question) {
    return team.daemon.get("/api/messages/" + question).body().path("reply").path("text").asText();
  }
}
