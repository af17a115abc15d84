package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.http.server.Problems;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Messages of agents to the operator stay unread until they are read by any client.
@OnEveryDatabase
final class InboxRoutesTest {
  private final TestDatabase place;
  private TestDaemon daemon;
  private String token = "";

  InboxRoutesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
  }

  @BeforeEach
  void write() {
    daemon.post("/api/agents", "{\"name\":\"mira\",\"provider\":{\"name\":\"external\"}}");
    token = daemon.post("/api/agents/mira/tokens", "{}").text("token");
    tell("one");
    tell("two");
    tell("three");
  }

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("N1")
  void read_messages_stay_read_after_a_restart_and_the_sender_sees_it() {
    Answer all = daemon.get("/api/inbox");
    assertThat(all.body().path("unread").asInt()).isEqualTo(3);
    String second = all.body().path("messages").get(1).path("message_id").asText();

    assertThat(read(second).body().path("read").asInt()).isEqualTo(2);
    assertThat(read(second).body().path("read").asInt()).isZero();
    daemon.close();
    daemon = TestDaemon.on(place);

    Answer news = daemon.get("/api/inbox?unread=true");
    assertThat(news.body().path("unread").asInt()).isEqualTo(1);
    assertThat(news.body().path("messages").findValuesAsText("text")).containsExactly("three");
    assertThat(daemon.get("/api/messages/" + second).text("status")).isEqualTo("read");
  }

  @Test
  void a_single_message_is_read_and_older_ones_are_not() {
    String second =
        daemon.get("/api/inbox").body().path("messages").get(1).path("message_id").asText();

    Answer read = daemon.post("/api/inbox/read", "{\"message\":\"" + second + "\"}");

    assertThat(read.body().path("read").asInt()).isEqualTo(1);
    assertThat(
            daemon.get("/api/inbox?unread=true").body().path("messages").findValuesAsText("text"))
        .containsExactly("one", "three");
    Problems.require(daemon.post("/api/inbox/read", "{}"), 400, "INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("N7")
  void an_agent_reads_no_inbox_of_a_person() {
    try (var agent = daemon.as(token)) {
      Problems.require(agent.get("/api/inbox"), 403, "FORBIDDEN");
      Problems.require(agent.post("/api/inbox/read", "{\"up_to\":\"x\"}"), 403, "FORBIDDEN");
    }
  }

  @Test
  void a_message_outside_the_inbox_cannot_be_marked_as_read() {
    Problems.require(read("no-such-message"), 404, "MESSAGE_NOT_FOUND");
    String toMira =
        daemon.post("/api/agents/mira/messages", "{\"text\":\"hi\"}").text("message_id");
    Problems.require(read(toMira), 404, "MESSAGE_NOT_FOUND");
  }

  private Answer read(String upTo) {
    return daemon.post("/api/inbox/read", "{\"up_to\":\"" + upTo + "\"}");
  }

  private void tell(String text) {
    String call =
        """
        {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send_message",
         "arguments":{"recipient":"USER","text":"%s","sync":false}}}
        """
            .formatted(text);
    try (var agent = daemon.as(token)) {
      assertThat(agent.post("/mcp", call).body().path("result").path("isError").asBoolean(true))
          .isFalse();
    }
  }
}
