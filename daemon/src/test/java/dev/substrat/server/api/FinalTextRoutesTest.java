package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Final texts of turns in spaces, and of turns without a question, over HTTP.
@OnEveryDatabase
@Timeout(300)
@Requirement("C19")
final class FinalTextRoutesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;

  FinalTextRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    daemon.createAgent("ada", "[{\"do\":[{\"say\":\"I heard {{event.text}}\"}]}]");
    daemon.post("/api/spaces", "{\"name\":\"General\",\"members\":[\"ada\"]}");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  void a_final_text_that_was_kept_is_shown_by_the_space_the_run_and_the_stream() {
    say("general", "one");
    Await.until(() -> !kept("").isEmpty());
    say("general", "two");
    Await.until(() -> kept("").size() == 2);

    JsonNode first = kept("").get(0);
    assertThat(first.path("agent").asText()).isEqualTo("ada");
    assertThat(first.path("text").asText()).isEqualTo("I heard one");
    assertThat(first.path("afterSeq").asLong()).isEqualTo(1);
    JsonNode run = daemon.get("/api/runs/" + first.path("runId").asText()).body();
    assertThat(run.path("spaceId").asText()).isEqualTo("general");
    assertThat(run.path("finishedWithoutPosting").asBoolean()).isTrue();
    assertThat(run.path("response").asText()).isEqualTo("I heard one");
    JsonNode page = daemon.get("/api/spaces/general/messages").body();
    assertThat(page.path("messages")).as("it is no message").hasSize(2);
    assertThat(page.path("lastSeq").asLong()).isEqualTo(2);
    // Each page has the final texts that follow its own messages.
    assertThat(kept("?beforeSeq=2"))
        .extracting(one -> one.path("text").asText())
        .containsExactly("I heard one");
    assertThat(kept("?afterSeq=2"))
        .extracting(one -> one.path("text").asText())
        .containsExactly("I heard two");
    try (var stream =
        new EventReader(
            daemon.url() + "/api/events?after=0&space=general&kinds=finished_without_posting",
            daemon.token())) {
      stream.event("connected");
      assertThat(stream.event("finished_without_posting").data().path("text").asText())
          .isEqualTo("I heard one");
    }
  }

  @Test
  void in_a_dm_the_final_text_is_a_message_and_the_run_has_no_mark() {
    say("dm-ada-operator", "hello");
    Await.until(() -> messages("dm-ada-operator").size() == 2);

    JsonNode answer = messages("dm-ada-operator").get(1);
    assertThat(answer.path("author").asText()).isEqualTo("ada");
    assertThat(answer.path("text").asText()).isEqualTo("I heard hello");
    JsonNode run = daemon.get("/api/runs/" + answer.path("runId").asText()).body();
    assertThat(run.path("spaceId").asText()).isEqualTo("dm-ada-operator");
    assertThat(run.path("finishedWithoutPosting").asBoolean()).isFalse();
  }

  @Test
  void the_final_text_of_a_turn_without_a_question_is_in_the_agents_activity() {
    assertThat(daemon.get("/api/agents/ada").body().has("lastSaid")).isFalse();
    var told = daemon.post("/api/agents/ada/poke", "{\"text\":\"the tide\"}");
    assertThat(told.status()).as("%s", told).isLessThan(300);
    Await.until(() -> daemon.get("/api/agents/ada").body().has("lastSaid"));

    assertThat(daemon.get("/api/agents/ada").body().at("/lastSaid/text").asText())
        .isEqualTo("I heard the tide");
    JsonNode activity = daemon.get("/api/agents/ada/activity").body();
    assertThat(activity.at("/last_said/text").asText()).isEqualTo("I heard the tide");
    assertThat(activity.path("activity"))
        .anySatisfy(line -> {
          assertThat(line.path("kind").asText()).isEqualTo("turn_ended");
          assertThat(line.path("said").asText()).isEqualTo("I heard the tide");
        });
  }

  @Test
  void final_text_is_configured_with_one_of_two_values() {
    String agent =
        "{\"name\":\"ben\",\"provider\":{\"name\":\"external\"},\"spaces\":{\"finalText\":\"%s\"}}";

    assertThat(daemon.post("/api/agents", agent.formatted("post")).status()).isEqualTo(201);
    assertThat(daemon.get("/api/agents/ben/config").body().at("/spaces/finalText").asText())
        .isEqualTo("post");
    var wrong = daemon.post("/api/agents", agent.formatted("shout"));
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.toString()).contains("/spaces/finalText", "keep", "post");
  }

  private void say(String space, String text) {
    var said =
        daemon.post("/api/spaces/" + space + "/messages", "{\"text\":\"%s\"}".formatted(text));
    assertThat(said.status()).as("%s", said).isEqualTo(201);
  }

  private JsonNode kept(String query) {
    return daemon.get("/api/spaces/general/messages" + query).body().path("finishedWithoutPosting");
  }

  private JsonNode messages(String space) {
    return daemon.get("/api/spaces/" + space + "/messages").body().path("messages");
  }
}
