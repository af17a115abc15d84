package dev.substrat.turn;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolPipeline;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Inboxes with more events than one answer shows.
@OnEveryDatabase
final class FullInboxTest {
  private static final int MUCH = 101;

  private final TestTeam team;
  private final Agent mira;
  private final Agent ada;

  FullInboxTest(TestDatabase place) {
    this.team = new TestTeam(place.dialect(), 1);
    this.mira =
        team.agent("{name: mira, provider: {name: external}, limits: {messagesPerMinute: 500}}");
    this.ada = team.agent("{name: ada, parent: mira, provider: {name: external}}");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"A13", "S0-22", "S1-16"})
  void messages_of_one_sender_are_found_behind_any_number_of_others() {
    for (int i = 0; i < MUCH; i++) {
      fromOperator("chatter " + i);
    }
    fromMira("the plan");

    var found = call(ada, "check_inbox", Json.object().put("sender", "mira"));

    assertThat(found.reply().json().path("messages"))
        .singleElement()
        .satisfies(one -> assertThat(one.path("text").asText()).isEqualTo("the plan"));
  }

  @Test
  @Requirement("N5")
  void urgent_events_are_shown_before_any_number_of_other_messages() {
    for (int i = 0; i < MUCH; i++) {
      fromMira("chatter " + i);
    }
    fromOperator("stop everything");

    var answer = call(ada, "list_children", Json.object());

    assertThat(answer.unread().unread()).isEqualTo(MUCH + 1);
    assertThat(answer.unread().urgent())
        .singleElement()
        .satisfies(one -> assertThat(one.path("text").asText()).isEqualTo("stop everything"));
  }

  private void fromOperator(String text) {
    team.messages.fromOperator("ada", new Messages.PersonMessage(text, false, null), null);
  }

  private void fromMira(String text) {
    var sent = Json.object().put("recipient", "ada").put("text", text).put("sync", false);
    assertThat(call(mira, "send_message", sent).reply().json().path("status").asText())
        .isEqualTo("sent");
  }

  private ToolPipeline.ResultWithUnread call(Agent agent, String tool, ObjectNode arguments) {
    var caller = team.engine.externalRuns().caller(agent);
    return team.engine
        .pipeline()
        .call(new ToolCall(caller, 0, MessageId.random().value(), null), tool, arguments);
  }
}
