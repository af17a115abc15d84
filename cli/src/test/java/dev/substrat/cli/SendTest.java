package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SendTest {
  private static final String CONNECTED =
      "event: connected\ndata: {\"kind\":\"connected\",\"lastEvent\":4,\"active\":[]}\n\n";
  private static final String REPLIED =
      """
      id: 6
      event: message_replied
      data: {"seq":6,"kind":"message_replied","message_id":"m1"}

      """;
  private static final String ANSWER =
      "{\"message_id\":\"m1\",\"status\":\"replied\",\"reply\":{\"text\":\"Aye,\\nshe is.\"}}";
  private static final String WAITING = "{\"message_id\":\"m1\",\"status\":\"claimed\"}";

  @TempDir Path data;

  private FakeDaemon daemon() throws IOException {
    return new FakeDaemon(data)
        .answers("POST /api/agents/mira/messages", 201, "{\"message_id\":\"m1\"}")
        .answers("GET /api/messages/m1", 200, ANSWER)
        .answers("GET /api/events", 200, CONNECTED + REPLIED);
  }

  private CliOutput send(String... more) {
    var args = new String[more.length + 5];
    System.arraycopy(more, 0, args, 5, more.length);
    args[0] = "send";
    args[1] = "mira";
    args[2] = "Is the ship ready?";
    args[3] = "--data";
    args[4] = data.toString();
    return CliOutput.of(args);
  }

  @Test
  void only_the_reply_is_printed() throws IOException {
    try (var daemon = daemon()) {
      assertThat(send("--wait")).isEqualTo(new CliOutput(0, "Aye,\nshe is.\n", ""));
      assertThat(daemon.requests().getFirst()).startsWith("GET /api/events");
      assertThat(daemon.requests().get(1)).contains("\"sync\":true");
    }
  }

  @Test
  void an_answer_given_while_the_stream_was_broken_is_not_missed() throws IOException {
    try (var daemon = daemon()) {
      var looks = new AtomicInteger();
      daemon.answers("GET /api/events", 200, CONNECTED);
      daemon.answers(
          "GET /api/messages/m1",
          () -> new FakeDaemon.Answer(200, looks.incrementAndGet() < 2 ? WAITING : ANSWER));

      assertThat(send("--wait").out()).isEqualTo("Aye,\nshe is.\n");
    }
  }

  @Test
  void a_message_to_an_agent_without_budget_fails_instead_of_waiting() throws IOException {
    String stopped =
        "{\"status\":\"stored\",\"waits\":\"BUDGET_EXHAUSTED: mira has used 2 of 2 turns\"}";
    try (var daemon = daemon()) {
      daemon.answers("GET /api/messages/m1", 200, stopped);
      assertThat(send("--wait"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(3);
            assertThat(ran.err())
                .contains("mira has used 2 of 2 turns", "./substrat", "agent budget mira");
          });
    }
  }

  @Test
  void a_failed_turn_is_reported_once_while_waiting() throws IOException {
    String failed =
        """
        id: 5
        event: turn_ended
        data: {"seq":5,"kind":"turn_ended","agent":"mira","status":"failed"}

        """;
    try (var daemon = daemon()) {
      daemon.answers("GET /api/events", 200, CONNECTED + failed + failed + REPLIED);
      daemon.answers(
          "GET /api/messages/m1",
          () -> new FakeDaemon.Answer(200, daemon.requests().size() < 6 ? WAITING : ANSWER));
      daemon.answers(
          "GET /api/agents/mira",
          200,
          """
          {"handle":"mira","state":"idle","stateReason":"ollama: nobody is there",
           "nextTryAt":"2020-01-01T00:00:00Z"}
          """);

      assertThat(send("--wait").err())
          .isEqualTo("turn of mira failed (ollama: nobody is there); next attempt in 1 s\n");
    }
  }

  @Test
  void each_further_failure_is_reported_and_the_last_one_in_the_hint() throws IOException {
    String failed =
        """
        id: 5
        event: turn_ended
        data: {"seq":5,"kind":"turn_ended","agent":"mira","status":"failed"}

        """;
    try (var daemon = daemon()) {
      var looks = new AtomicInteger();
      daemon.answers("GET /api/events", 200, CONNECTED + failed + failed);
      daemon.answers("GET /api/messages/m1", 200, WAITING);
      daemon.answers(
          "GET /api/agents/mira",
          () ->
              new FakeDaemon.Answer(
                  200,
                  """
                  {"stateReason":"%s","nextTryAt":"2020-01-01T00:00:00Z"}
                  """
                      .formatted(looks.incrementAndGet() == 1 ? "overloaded" : "no such model")));

      assertThat(send("--wait", "--timeout", "2s").err())
          .startsWith(
              """
              turn of mira failed (overloaded); next attempt in 1 s
              turn of mira failed (no such model); next attempt in 1 s
              error TIMEOUT: no answer from mira within 2.0s
              hint: turn of mira failed (no such model); next attempt at 20\
              """)
          .doesNotContain("pending list");
    }
  }

  @Test
  void a_pending_question_is_reported_once_while_waiting() throws IOException {
    String asked =
        """
        id: 5
        event: pending_call
        data: {"seq":5,"kind":"pending_call","agent":"mira","callId":"c1","status":"STATUS"}

        """;
    try (var daemon = daemon()) {
      daemon.answers(
          "GET /api/events",
          200,
          CONNECTED
              + asked.replace("STATUS", "pending")
              + asked.replace("STATUS", "completed")
              + REPLIED);
      daemon.answers(
          "GET /api/messages/m1",
          () -> new FakeDaemon.Answer(200, daemon.requests().size() < 6 ? WAITING : ANSWER));
      daemon.answers(
          "GET /api/pending?agent=mira",
          200,
          """
          {"pending":[
            {"callId":"c1","forService":false,"form":{"title":"book","text":"Book\\u001b it?"}},
            {"callId":"c2","forService":true,"form":{"title":"chart","text":""}}]}
          """);

      assertThat(send("--wait"))
          .isEqualTo(
              new CliOutput(
                  0,
                  "Aye,\nshe is.\n",
                  "mira waits for a person: book: Book\\u{1B} it?. To answer:"
                      + " ./substrat pending answer c1 --data %s\n".formatted(data)));
      assertThat(send("--wait", "--json").err()).isEmpty();
    }
  }

  @Test
  void a_dead_message_shows_its_reason() throws IOException {
    String dead = "{\"status\":\"dead\",\"reason\":\"provider crashed\"}";
    try (var daemon = daemon()) {
      daemon.answers("GET /api/messages/m1", 200, dead);
      assertThat(send("--wait"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(4);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err())
                .startsWith("error NO_ANSWER: mira could not answer: provider crashed\n");
          });
      assertThat(send("--wait", "--json"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(4);
            assertThat(ran.out()).isEqualTo(dead + "\n");
            assertThat(ran.err()).contains("\"code\":\"NO_ANSWER\"").hasLineCount(1);
          });
    }
  }

  @Test
  void an_expired_message_is_a_timeout() throws IOException {
    try (var daemon = daemon()) {
      daemon.answers("GET /api/messages/m1", 200, "{\"status\":\"expired\"}");
      assertThat(send("--wait"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(4);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).startsWith("error TIMEOUT: the message to mira expired\n");
          });
    }
  }

  @Test
  void waiting_ends_at_the_timeout() throws IOException {
    try (var daemon = daemon()) {
      daemon.answers("GET /api/messages/m1", 200, WAITING);
      assertThat(send("--wait", "--timeout", "400ms"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(4);
            assertThat(ran.err()).startsWith("error TIMEOUT: no answer from mira within 0.4s");
          });
    }
  }

  @Test
  void without_wait_the_output_says_where_the_answer_arrives() throws IOException {
    try (var daemon = daemon()) {
      assertThat(send().out())
          .contains("sent to", "mira", "./substrat message show m1 --data " + data)
          .containsPattern(
              "answer +arrives in your inbox: ./substrat inbox --data \\S+ \\(to print it here, use --wait\\)\n");
      assertThat(daemon.requests().getFirst()).contains("\"sync\":true");
    }
  }

  @Test
  void with_no_reply_the_message_asks_for_no_answer() throws IOException {
    try (var daemon = daemon()) {
      assertThat(send("--no-reply").out()).containsPattern("answer +not requested\n");
      assertThat(daemon.requests().getFirst()).contains("\"sync\":false");
    }
  }

  @Test
  void no_reply_and_wait_exclude_each_other() {
    assertThat(send("--no-reply", "--wait"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("--wait", "--no-reply");
        });
  }

  @Test
  void a_message_that_answers_a_question_does_not_wait() throws IOException {
    try (var daemon = daemon()) {
      daemon.answers(
          "POST /api/agents/mira/messages", 201, "{\"message_id\":\"m1\",\"answers\":\"q7\"}");
      daemon.answers("GET /api/messages/m1", 200, WAITING);

      assertThat(send().out()).containsPattern("answers +the question q7\n");
      assertThat(send("--wait", "--timeout", "5s"))
          .satisfies(ran -> {
            assertThat(ran.code()).isZero();
            assertThat(ran.err())
                .contains("mira had asked you a question (q7); your message is the answer");
          });
    }
  }

  @Test
  void a_text_may_begin_with_a_dash() throws IOException {
    try (var daemon = daemon()) {
      String dir = data.toString();
      assertThat(CliOutput.of("send", "mira", "-5 degrees", "--wait", "--data", dir).out())
          .isEqualTo("Aye,\nshe is.\n");
      assertThat(CliOutput.of("--data", dir, "send", "mira", "--", "--wait").code()).isZero();
      assertThat(daemon.requests())
          .contains("POST /api/agents/mira/messages {\"text\":\"-5 degrees\",\"sync\":true}")
          .contains("POST /api/agents/mira/messages {\"text\":\"--wait\",\"sync\":true}");
    }
  }

  @Test
  void an_invalid_duration_is_refused() {
    assertThat(send("--timeout", "soon"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("'soon' is not a duration such as 90s");
        });
  }

  @Test
  void a_timeout_without_waiting_is_refused() throws IOException {
    try (var daemon = daemon()) {
      assertThat(send("--timeout", "5s"))
          .satisfies(ran -> {
            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err()).contains("--timeout needs --wait");
          });
      assertThat(daemon.requests()).isEmpty();
    }
  }
}
