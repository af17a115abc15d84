package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.inbox.Inbox;
import dev.substrat.messaging.inbox.InboxEvent;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Messages pages: inbox, delivery states, dead letters.
@OnEveryDatabase
final class MessagePagesTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;
  private final String ada;

  MessagePagesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
    this.ada =
        daemon
            .post("/api/agents", "{\"name\":\"ada\",\"provider\":{\"name\":\"external\"}}")
            .text("id");
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  private String send(String text) {
    var note = Json.object().put("text", text).put("sync", true);
    return daemon.post("/api/agents/ada/messages", note.toString()).text("message_id");
  }

  /// The agent writes to the operator.
  private String hear(String text) {
    return hear(text, true);
  }

  private String hear(String text, boolean sync) {
    Engine engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require("ada"));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    var message = Json.object().put("recipient", "operator").put("text", text).put("sync", sync);
    return engine
        .pipeline()
        .call(call, "send_message", message)
        .reply()
        .json()
        .path("message_id")
        .asText();
  }

  /// Makes the message a dead letter.
  private void bury() {
    Engine engine = daemon.engine();
    var agent = new AgentId(ada);
    engine
        .dependencies()
        .database()
        .transact(tx -> {
          for (InboxEvent event : Inbox.removeAll(tx, agent)) {
            engine.messages().delivery().markDead(tx, agent, event, "it failed five times");
          }
          return true;
        });
  }

  @Test
  void opening_a_message_of_the_inbox_marks_it_as_read() {
    assertThat(visitor.page("/mail")).contains("Your inbox is empty");
    String id = hear("We can **sail**.");
    assertThat(visitor.page("/mail"))
        .contains(
            "message-row unread",
            "We can sail.",
            ">unread</span>",
            "1<span class=\"unseen\"> waiting</span>");

    String letter = visitor.page("/mail/" + id);

    assertThat(letter).contains("We can <strong>sail</strong>.", "Reply to ada", "Read by you");
    assertThat(visitor.page("/mail")).doesNotContain("message-row unread", " waiting</span>");
  }

  @Test
  void one_button_marks_all_messages_as_read() {
    hear("one");
    String last = hear("two");
    assertThat(visitor.submit("/mail/read", "up_to", last).header("Location"))
        .isEqualTo("/mail?said=read");
    assertThat(visitor.page("/mail")).doesNotContain("message-row unread");
  }

  @Test
  void a_message_can_be_answered() {
    String id = hear("May I?");
    Answer answered = visitor.submit("/mail/" + id + "/reply", "text", "You may.");
    assertThat(answered.header("Location")).isEqualTo("/mail/" + id + "?said=message_sent");
    assertThat(visitor.page("/mail?folder=all")).contains("You may.");
  }

  @Test
  @Requirement("C25")
  void a_reply_to_an_agent_without_pending_question_expects_a_reply() {
    String told = hear("We are in Bergen.", false);
    visitor.submit("/mail/" + told + "/reply", "text", "And tomorrow?");

    assertThat(visitor.page("/mail?folder=all")).contains("And tomorrow?");
    String sent =
        daemon
            .get("/api/agents/ada/messages")
            .body()
            .path("messages")
            .findValues("message_id")
            .stream()
            .map(id -> visitor.page("/mail/" + id.asText()))
            .filter(page -> page.contains("<dd>message, reply expected"))
            .findFirst()
            .orElse("");
    assertThat(sent).contains("And tomorrow?");
  }

  @Test
  @Requirement("N1")
  void a_message_shows_its_delivery_steps() {
    String id = send("Are you there?");
    assertThat(visitor.page("/mail?folder=all")).contains("Are you there?", "stored", "question");
    assertThat(visitor.page("/mail/" + id))
        .contains("Stored, waits for a turn", "Included in a turn of the agent", "class=\"ahead\"");
    assertThat(visitor.look("/mail/nothing").status()).isEqualTo(404);
  }

  @Test
  @Requirement("N1")
  void a_dead_letter_shows_its_reason_and_can_be_retried() {
    String id = send("Are you there?");
    assertThat(visitor.page("/mail?folder=dead")).contains("No dead letters");
    bury();
    assertThat(visitor.page("/mail?folder=dead"))
        .contains("Are you there?", "It failed five times", "Retry");
    assertThat(visitor.page("/mail/" + id)).contains("Could not be delivered");
    // On PostgreSQL events are readable shortly after the commit.
    Await.until(() -> visitor.page("/team?who=ada").contains("A message was not delivered"));
    assertThat(visitor.page("/team?who=ada"))
        .as("every avatar has initials")
        .doesNotContain("></text>");

    Answer again = visitor.submit("/mail/" + id + "/retry", "folder", "dead");

    assertThat(again.header("Location")).isEqualTo("/mail?folder=dead&said=retried");
    assertThat(visitor.page("/mail?folder=dead")).contains("No dead letters");
    assertThat(daemon.get("/api/messages/" + id).text("status")).isEqualTo("stored");
    assertThat(visitor.submit("/mail/" + id + "/retry", "folder", "dead").status()).isEqualTo(409);
    assertThat(daemon.post("/api/messages/" + id + "/retry", "").status()).isEqualTo(409);
  }

  @Test
  @Requirement("N1")
  void a_dead_letter_to_a_terminated_agent_cannot_be_retried() {
    String id = send("Are you there?");
    daemon.delete("/api/agents/ada");

    assertThat(visitor.page("/mail?folder=dead"))
        .contains("Are you there?", "It was terminated")
        .doesNotContain("Retry");
    assertThat(visitor.page("/mail/" + id)).doesNotContain("Retry");
    assertThat(visitor.submit("/mail/" + id + "/retry", "folder", "dead").status()).isEqualTo(409);
  }

  @Test
  void a_notice_links_to_its_message_without_showing_the_id() {
    String id = send("Are you there?");
    bury();

    String inbox = visitor.page("/mail");

    assertThat(inbox)
        .contains("No reply from ada: it failed five times")
        .doesNotContain("(to message");
    String notice = inbox.replaceAll("(?s).*href=\"(/mail/[0-9a-f-]{36})\".*", "$1");
    assertThat(visitor.page(notice))
        .contains("No reply from ada:", "href=\"/mail/" + id + "\"")
        .doesNotContain("(to message");
  }

  @Test
  void messages_are_paged_by_fifty() {
    for (int i = 1; i <= 60; i++) {
      send("letter number " + i + ".");
    }
    String newest = visitor.page("/mail?folder=all");
    assertThat(newest).contains("letter number 60.", "letter number 11.", "Older messages");
    assertThat(newest).doesNotContain("letter number 10.");
    String next = newest.replaceAll("(?s).*before=([^\"]+)\".*", "$1");
    assertThat(visitor.page("/mail?folder=all&before=" + next))
        .contains("letter number 10.", "letter number 1.")
        .doesNotContain("letter number 11.", "Older messages");
  }

  @Test
  void messages_of_agents_are_escaped() {
    for (String hostile : HostileTexts.TEXTS) {
      HostileTexts.assertHarmless(visitor.page("/mail/" + hear(hostile)));
      send(hostile);
    }
    bury();
    HostileTexts.assertHarmless(visitor.page("/mail"));
    HostileTexts.assertHarmless(visitor.page("/mail?folder=all"));
    HostileTexts.assertHarmless(visitor.page("/mail?folder=dead"));
  }
}
