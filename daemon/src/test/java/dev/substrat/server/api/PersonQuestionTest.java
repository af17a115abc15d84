package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A person's message asks for an answer by default: the answer arrives in the person's inbox.
@OnEveryDatabase
final class PersonQuestionTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  PersonQuestionTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("C25")
  void a_message_without_sync_gets_its_answer_in_the_inbox() {
    daemon.createAgent("greeter", "[{\"do\":[{\"say\":\"Hello!\"}]}]");

    String id = send("greeter", "{\"text\":\"good morning\"}").text("message_id");

    Await.until(
        () -> status(id).equals("replied"), () -> daemon.get("/api/messages/" + id).toString());
    JsonNode inbox = daemon.get("/api/inbox").body().path("messages");
    assertThat(inbox).hasSize(1);
    assertThat(inbox.get(0).path("text").asText()).isEqualTo("Hello!");
    assertThat(inbox.get(0).path("in_reply_to").asText()).isEqualTo(id);
    assertThat(daemon.get("/api/agents/greeter/messages").body().toString()).contains("Hello!");
  }

  @Test
  @Requirement("C25")
  void a_message_with_sync_false_expects_no_answer() {
    daemon.createAgent("greeter", "[{\"do\":[{\"say\":\"Hello!\"}]}]");

    String id = send("greeter", "{\"text\":\"good morning\",\"sync\":false}").text("message_id");

    Await.until(() -> status(id).equals("read"));
    assertThat(daemon.get("/api/inbox").body().path("messages")).isEmpty();
  }

  @Test
  @Requirement("C25")
  void a_missing_sync_and_sync_true_are_equal_for_an_idempotency_key() {
    daemon.createAgent("greeter", "[]");
    String first =
        daemon
            .client()
            .post("/api/agents/greeter/messages", "{\"text\":\"hi\"}", "Idempotency-Key", "k")
            .text("message_id");

    Answer again =
        daemon
            .client()
            .post(
                "/api/agents/greeter/messages",
                "{\"text\":\"hi\",\"sync\":true}",
                "Idempotency-Key",
                "k");

    assertThat(again.status()).isEqualTo(201);
    assertThat(again.text("message_id")).isEqualTo(first);
  }

  @Test
  @Requirement({"C25", "C26"})
  void a_message_that_answers_a_question_says_so_and_expects_no_reply() {
    daemon.createAgent(
        "asker",
        """
        [{"when":{"kind":"message"},"do":[{"call":"send_message",
           "with":{"recipient":"USER","text":"Which port?"}}]},
         {"when":{"kind":"reply"},"do":[{"say":"Course for {{event.text}}."}]}]
        """);
    String question = send("asker", "{\"text\":\"sail\",\"sync\":false}").text("message_id");
    Await.until(() -> status(question).equals("read"));
    String asked =
        daemon.get("/api/inbox").body().path("messages").get(0).path("message_id").asText();

    Answer answer = send("asker", "{\"text\":\"Bergen\"}");

    assertThat(answer.text("answers")).isEqualTo(asked);
    Await.until(() -> status(answer.text("message_id")).equals("read"));
    assertThat(status(asked)).isEqualTo("replied");
  }

  @Test
  @Requirement("C25")
  void the_api_description_says_that_a_message_asks_by_default() {
    String api = daemon.get("/api/openapi.json").body().toString();

    assertThat(api).contains("true (default): a reply is expected.");
  }

  @Test
  void a_reply_to_a_message_of_others_is_rejected() {
    daemon.createAgent("lead", "[]");
    daemon.createAgent("other", "[]");
    String toOther = send("other", "{\"text\":\"hi\"}").text("message_id");

    for (String id : new String[] {"zzz", toOther}) {
      Answer refused =
          daemon.post(
              "/api/agents/lead/messages",
              "{\"text\":\"Bergen\",\"in_reply_to\":\"%s\"}".formatted(id));

      assertThat(refused.status()).as("%s", refused).isEqualTo(400);
      assertThat(refused.text("code")).isEqualTo("INVALID_ARGUMENTS");
      assertThat(refused.text("message"))
          .isEqualTo("/in_reply_to is not a message between you and lead");
      assertThat(refused.text("hint")).contains("omit the key", "GET /api/inbox");
    }
    assertThat(daemon.get("/api/agents/lead/messages").body().path("messages")).isEmpty();
    String own = send("lead", "{\"text\":\"hi\"}").text("message_id");
    send("lead", "{\"text\":\"more\",\"in_reply_to\":\"%s\"}".formatted(own));
  }

  private Answer send(String agent, String json) {
    Answer answer = daemon.post("/api/agents/" + agent + "/messages", json);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    return answer;
  }

  private String status(String message) {
    return daemon.get("/api/messages/" + message).text("status");
  }
}
