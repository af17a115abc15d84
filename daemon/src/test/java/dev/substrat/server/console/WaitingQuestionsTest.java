package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.identity.MessageId;
import dev.substrat.platform.json.Json;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.tool.ToolCall;
import dev.substrat.turn.engine.Engine;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Open questions on the pages of agents, spaces and health.
@OnEveryDatabase
final class WaitingQuestionsTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  WaitingQuestionsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
    daemon.post(
        "/api/agents",
        """
        {"name":"desk","provider":{"name":"external"},"toolsets":["spaces"],"tools":[
          {"name":"book","description":"Books.","executionType":"space",
           "display":{"customUI":"confirmAction","title":"Book a **seat**?"}}]}
        """);
    daemon.post("/api/spaces", "{\"name\":\"Travel\",\"members\":[\"desk\"]}");
    Engine engine = daemon.engine();
    var caller = engine.externalRuns().caller(engine.agents().require("desk"));
    var call = new ToolCall(caller, 0, MessageId.random().value(), null);
    engine.pipeline().call(call, "enter_space", Json.object().put("spaceId", "travel"));
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  private String ask() {
    return daemon
        .post("/api/tools/book/call", "{\"agent\":\"desk\",\"arguments\":{}}")
        .text("pendingToolCallId");
  }

  @Test
  void a_space_shows_its_open_questions() {
    ask();
    String second = ask();

    assertThat(visitor.page("/spaces"))
        .contains("desk asks:", "Book a **seat**?", "2 open questions")
        .doesNotContain("No messages yet");
    visitor.submit("/approvals/" + second, "do", "yes");
    assertThat(visitor.page("/spaces")).contains("desk asks:", "1 open question");
    daemon.post("/api/spaces/travel/messages", "{\"text\":\"Which train?\"}");
    assertThat(visitor.page("/spaces"))
        .as("also after later messages")
        .contains("Which train?", "1 open question");
  }

  @Test
  void agent_and_health_pages_show_open_approvals() {
    assertThat(visitor.page("/agents/desk")).doesNotContain("open approval</a>");
    String call = ask();

    assertThat(visitor.page("/agents/desk"))
        .containsPattern("(?s)href=\"/approvals\"><svg.{0,600}1 open approval</a>");
    assertThat(visitor.page("/health"))
        .contains("No problems. <a href=\"/approvals\">1 open approval</a>.");
    visitor.submit("/approvals/" + call, "do", "no");
    assertThat(visitor.page("/health")).contains("No problems.").doesNotContain("open approval");
  }

  @Test
  void answering_no_and_declining_are_different() {
    ask();
    assertThat(visitor.page("/approvals"))
        .contains("Decline to answer …", "Neither yes nor no")
        .doesNotContain("Decline …");
  }
}
