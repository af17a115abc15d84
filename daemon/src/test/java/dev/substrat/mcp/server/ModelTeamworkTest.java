package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A lead, a worker and a reviewer complete a task over MCP like language models do: they spell out
/// defaults, send empty texts, ask counter-questions and omit addresses. Each next action depends
/// only on the results of earlier calls.
@OnOneDatabase
final class ModelTeamworkTest {
  private static final int MOST_CALLS = 20;
  private static final Pattern NAMED = Pattern.compile("\"recipient\": \"([^\"]+)\"");

  private final McpTeam team;
  private final List<String> calls = new ArrayList<>();

  ModelTeamworkTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.create(
        "lena",
        """
        {"name":"lena","provider":{"name":"external"},"toolsets":["team","spaces"],"tools":[
          {"name":"approve_release","description":"Asks a person to approve a release.",
           "executionType":"space","display":{"customUI":"approval"},
           "inputSchema":{"type":"object","properties":{"version":{"type":"string"}}}}]}
        """);
    member("wim", "worker");
    member("rita", "reviewer");
    team.daemon.post(
        "/api/spaces",
        """
        {"id":"deck","name":"Deck","kind":"public","wakePolicy":"none","members":["lena","rita"]}
        """);
  }

  private void member(String name, String role) {
    team.create(
        name,
        """
        {"name":"%s","parent":"lena","role":"%s","provider":{"name":"external"},
         "toolsets":["team","spaces"]}
        """
            .formatted(name, role));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private JsonNode call(String agent, String tool, String arguments) {
    JsonNode result = team.call(agent, tool, arguments.replace('\'', '"'));
    calls.add("%s %s %s -> %s".formatted(agent, tool, arguments, result));
    return result;
  }

  /// Reads the inbox; a model fills in every argument it sees.
  private JsonNode inbox(String agent) {
    JsonNode messages = call(agent, "check_inbox", "{'sender':'','kind':null}").path("messages");
    assertThat(messages).as(String.join("\n", calls)).hasSize(1);
    return messages.get(0);
  }

  private JsonNode send(String agent, String to, String text) {
    return call(
        agent,
        "send_message",
        "{'recipient':'%s','text':'%s','sync':true,'in_reply_to':''}".formatted(to, text));
  }

  /// Sends a message without an address; then follows the hint of the error.
  private JsonNode sendForgetful(String agent, String text) {
    JsonNode refused =
        call(agent, "send_message", "{'text':'%s','recipient':'','sync':true}".formatted(text));
    assertThat(refused.path("code").asText()).isEqualTo("INVALID_ARGUMENTS");
    Matcher named = NAMED.matcher(refused.path("hint").asText());
    assertThat(named.find()).as(refused.toString()).isTrue();
    return send(agent, named.group(1), text);
  }

  private String answerTo(String question) {
    return team.daemon.get("/api/messages/" + question).body().at("/reply/text").asText();
  }

  @Test
  @Requirement({"C26", "C20", "C4", "C17", "A4", "A13"})
  void a_complete_task_takes_few_calls_and_every_answer_reaches_its_question() {
    String job =
        team.daemon
            .post("/api/agents/lena/messages", "{\"text\":\"Release 2.0 and tell the deck.\"}")
            .text("message_id");
    assertThat(inbox("lena").path("from").asText()).isEqualTo("operator");

    String task = send("lena", "wim", "Write the release notes.").path("message_id").asText();
    assertThat(inbox("wim").path("wants_answer").asBoolean()).isTrue();
    JsonNode askedBack = send("wim", "lena", "In which format?");
    assertThat(askedBack.path("answers").asText()).isEqualTo(task);
    assertThat(askedBack.path("waiting_for_reply").asBoolean()).isFalse();
    assertThat(inbox("lena").path("in_reply_to").asText()).isEqualTo(task);
    String clearer = send("lena", "wim", "Markdown, please.").path("message_id").asText();
    inbox("wim");
    JsonNode delivered = call("wim", "complete", "{'text':'# Notes','in_reply_to':''}");
    assertThat(delivered.path("answers").asText()).isEqualTo(clearer);
    assertThat(inbox("lena").path("text").asText()).contains("# Notes");

    String review = send("lena", "rita", "Review: # Notes").path("message_id").asText();
    inbox("rita");
    JsonNode reviewed = sendForgetful("rita", "Looks good.");
    assertThat(reviewed.path("answers").asText()).isEqualTo(review);
    assertThat(inbox("lena").path("in_reply_to").asText()).isEqualTo(review);

    approve();
    publish();
    JsonNode last = send("lena", "operator", "2.0 is released.");
    assertThat(last.path("answers").asText()).isEqualTo(job);
    assertThat(last.has("waiting_for_you")).isFalse();

    assertThat(answerTo(job)).isEqualTo("2.0 is released.");
    assertThat(answerTo(task)).isEqualTo("In which format?");
    assertThat(answerTo(clearer)).isEqualTo("# Notes");
    assertThat(answerTo(review)).isEqualTo("Looks good.");
    System.out.println("calls of the team: " + calls.size());
    assertThat(calls).hasSizeLessThanOrEqualTo(MOST_CALLS);
  }

  /// The lead is in no space; the result names the asked person, and the answer contains the
  /// approval.
  private void approve() {
    JsonNode asked = call("lena", "approve_release", "{'version':'2.0'}");
    assertThat(asked.path("hint").asText())
        .contains("A person has been asked", "Approvals", "substrat pending list", "check_inbox")
        .doesNotContain("no space");
    JsonNode pending = team.daemon.get("/api/pending").body().at("/pending/0");
    String id = asked.path("pendingToolCallId").asText();
    assertThat(pending.path("callId").asText()).as(pending.toString()).isEqualTo(id);
    var answered =
        team.daemon.post(
            "/api/runs/" + pending.path("runId").asText() + "/tool-results",
            Json.text(
                Json.object()
                    .put("callId", id)
                    .set("result", Json.object().put("approved", true))));
    assertThat(answered.status()).as(answered.body().toString()).isEqualTo(200);
    JsonNode result = inbox("lena");
    assertThat(result.path("kind").asText()).isEqualTo("tool_result");
    assertThat(result.path("text").asText())
        .startsWith("[Tool Result: approve_release] (callId: " + id + ")")
        .contains("Approved by operator", "{\"version\":\"2.0\"}");
  }

  private void publish() {
    JsonNode spaces = call("lena", "list_spaces", "{'after':''}").path("spaces");
    String deck =
        spaces
            .valueStream()
            .map(space -> space.path("id").asText())
            .filter("deck"::equals)
            .findFirst()
            .orElseThrow();
    JsonNode posted = send("lena", "#" + deck, "2.0 is out!");
    assertThat(posted.path("spaceId").asText()).as(posted.toString()).isEqualTo("deck");
    assertThat(posted.path("waiting_for_you").toString()).contains("operator");
  }
}
