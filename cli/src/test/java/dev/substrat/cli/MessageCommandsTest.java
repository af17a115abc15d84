package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Commands for messages and the operator's inbox.
final class MessageCommandsTest extends FakeDaemonCommands {
  @Test
  void a_message_shows_its_delivery_state() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"operator","to":"mira","text":"Ready?","status":"dead",
         "history":[{"status":"stored","at":"2020-01-01T12:00:00Z"},
                    {"status":"dead","at":"2020-01-01T12:00:01Z"}],"reason":"crashed"}
        """);

    assertThat(run("message", "show", "m1").out())
        .contains("status   dead", "reason   crashed", "text     Ready?")
        .containsPattern("history  2020-01-0\\d \\S+  stored\n         2020-01-0\\d \\S+  dead\n");
  }

  private static final String HELD_ID = "01a1ecde-aaaa-7000-8000-000000000001";

  @Test
  void a_held_message_shows_its_reason_and_commands() {
    daemon.answers("GET /api/messages/01a1ecde", 200, held());

    assertThat(run("message", "show", "01a1ecde").out())
        .contains(
            "status   held\n",
            "reason   loop guard: the same text was already sent 3 times (mira → ben)\n")
        .containsPattern("next     to release the message:  \\S+ message release " + HELD_ID)
        .containsPattern("         to withdraw the message: \\S+ message withdraw " + HELD_ID);
  }

  @Test
  void a_waiting_message_shows_the_cause_and_a_failing_one_its_attempts() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"operator","to":"ben","text":"hi","status":"stored","history":[],
         "condition":{"state":"paused","held":0,"waitingFor":[]}}
        """);
    daemon.answers(
        "GET /api/messages/m2",
        200,
        """
        {"message_id":"m2","from":"operator","to":"ben","text":"hi","status":"stored","history":[],
         "attempts":3,"delay":{"reason":"no model","next_try_at":"2020-01-02T12:00:00Z"},
         "run":{"run_id":"r7","turn":4,"status":"failed"}}
        """);

    assertThat(run("message", "show", "m1").out())
        .contains("status   stored (waits for a turn)\n", "waits    ben is paused\n");
    assertThat(run("message", "show", "m2").out())
        .containsPattern(
            "attempts  failing: 3 attempts, next at 2020-01-0\\S \\S+ \\(no model\\)\n")
        .contains("last in run r7\n");
  }

  @Test
  void a_message_to_a_person_is_shown_as_not_read_yet() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"ben","to":"operator","text":"hi","status":"stored","history":[]}
        """);
    daemon.answers(
        "GET /api/messages/m2",
        200,
        """
        {"message_id":"m2","from":"operator","to":"eva","text":"hi","status":"stored","history":[],
         "external":true,"condition":{"state":"idle","held":0,"waitingFor":[]}}
        """);

    for (String id : List.of("m1", "m2")) {
      assertThat(run("message", "show", id).out())
          .contains("status   stored (not read yet)\n")
          .doesNotContain("turn");
    }
  }

  @Test
  void a_failure_is_printed_once() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"operator","to":"ben","text":"hi","status":"stored","history":[],
         "attempts":3,"delay":{"reason":"no model","next_try_at":"2020-01-02T12:00:00Z"},
         "run":{"run_id":"r7","turn":4,"status":"failed"},
         "condition":{"state":"failing","attempts":3,"failure":"no model",
          "nextTryAt":"2020-01-02T12:00:00Z","held":0,"waitingFor":[]}}
        """);

    assertThat(run("message", "show", "m1").out())
        .containsOnlyOnce("failing: 3 attempts")
        .contains("last in run r7\n")
        .doesNotContain("waits  ");
  }

  @Test
  void held_and_dead_messages_are_listed_with_their_reasons() {
    daemon.answers(
        "GET /api/messages?held=true&dead=true&agent=ben&limit=3",
        200,
        """
        {"messages":[%s,
         {"message_id":"01a1ecde-aaaa-7000-8000-000000000002","from":"ada","to":"ben","text":"x",
          "status":"dead","at":"2020-01-01T12:00:00Z","reason":"no model"},
         {"message_id":"01a1ecde-bbbb-7000-8000-000000000003","kind":"space_message","space":"deck",
          "seq":12,"from":"ada","to":"deck","text":"y","status":"stored","at":"2020-01-01T12:00:00Z",
          "held":"rate guard: too many"}],"next":"01a1ecde-aaaa-7000-8000-000000000002"}
        """
            .formatted(held()));

    assertThat(run("message", "list", "--held", "--dead", "--agent", "ben", "--limit", "3"))
        .satisfies(ran -> {
          assertThat(ran.out())
              .containsPattern("(?m)^MESSAGE +SENT +FROM +TO +STATUS +REASON$")
              .as("the shortest unique prefix of an id")
              .containsPattern("(?m)^01a1ecde-aaaa-7000-8000-000000000001 .* held +loop guard: ")
              .containsPattern("(?m)^01a1ecde-aaaa-7000-8000-000000000002 .* dead +no model$")
              .containsPattern("(?m)^deck#12 .* held +rate guard: too many$");
          assertThat(ran.err())
              .contains("older messages: add --before 01a1ecde-aaaa-7000-8000-000000000002");
        });
    daemon.answers("GET /api/messages?held=true&limit=20", 200, "{\"messages\":[]}");
    assertThat(run("message", "list", "--held").out()).isEqualTo("no matching messages\n");
  }

  @Test
  void a_message_is_released_retried_and_withdrawn_by_the_beginning_of_its_id() {
    daemon.answers("GET /api/messages/01a1ecde", 200, held());
    daemon.answers("GET /api/messages/" + HELD_ID, 200, held());
    for (String action : List.of("release", "retry", "withdraw")) {
      daemon.answers("POST /api/messages/%s/%s".formatted(HELD_ID, action), 204, "");
    }

    assertThat(run("message", "release", "01a1ecde").out())
        .isEqualTo("released %s: mira → ben \"ping\"\n".formatted(HELD_ID));
    assertThat(run("message", "retry", "01a1ecde").out()).startsWith("retrying " + HELD_ID);
    assertThat(run("message", "withdraw", "01a1ecde").out()).startsWith("withdrawn " + HELD_ID);
  }

  @Test
  void a_rejected_retry_or_space_message_names_the_next_step() {
    daemon.answers(
        "GET /api/messages/m1",
        200,
        """
        {"message_id":"m1","from":"operator","to":"ben","text":"hi","status":"dead","history":[],
         "reason":"it was terminated","can_retry":false}
        """);
    daemon.answers(
        "POST /api/messages/m1/retry",
        409,
        """
        {"error":true,"code":"CONFLICT","message":"message m1 cannot be retried: its recipient ben was terminated",
         "hint":"send the text to another agent"}
        """);

    assertThat(run("message", "show", "m1").out())
        .contains("next     the message cannot be retried: ben was terminated\n");
    assertThat(run("message", "retry", "m1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.out()).isEmpty();
          assertThat(ran.err())
              .contains("error CONFLICT: message m1 cannot be retried", "hint: send");
        });
    assertThat(run("message", "release", "deck#12"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err())
              .contains("deck#12 is a message in space deck", "space release deck");
        });
  }

  private static String held() {
    return """
    {"message_id":"%s","from":"mira","to":"ben","text":"ping","status":"stored",
     "at":"2020-01-01T12:00:00Z","history":[{"status":"stored","at":"2020-01-01T12:00:00Z"}],
     "held":"loop guard: the same text was already sent 3 times (mira → ben)"}
    """
        .formatted(HELD_ID);
  }

  @Test
  void the_inbox_marks_unread_messages_and_then_marks_them_as_read() {
    daemon.answers(
        "GET /api/inbox?limit=2",
        200,
        """
        {"messages":[{"message_id":"m1","from":"ada","text":"two","read":true},
         {"message_id":"m2","from":"ben","text":"three","read":false}],"unread":1}
        """);
    daemon.answers("POST /api/inbox/read", 200, "{\"read\":1}");

    assertThat(run("inbox", "--limit", "2"))
        .satisfies(ran -> {
          assertThat(ran.out())
              .containsPattern("(?m)^   .*two$")
              .containsPattern("(?m)^\\* .*three$");
          assertThat(ran.err()).contains("there may be older messages");
        });
    assertThat(daemon.requests().getLast()).contains("\"up_to\":\"m2\"");
  }

  @Test
  void messages_that_were_not_shown_stay_unread() {
    daemon.answers(
        "GET /api/inbox?limit=1",
        200,
        """
        {"messages":[{"message_id":"m9","from":"ben","text":"newest","read":false}],"unread":3}
        """);

    // Reading up to the newest would also mark older messages; the daemon answers nothing else
    // here.
    assertThat(run("inbox", "--limit", "1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.err()).contains("2 more unread", "inbox --unread");
        });
  }

  @Test
  void peek_leaves_messages_unread() {
    daemon.answers(
        "GET /api/inbox?limit=20&unread=true",
        200,
        """
        {"messages":[{"message_id":"m2","from":"ben","text":"three","read":false}],"unread":3}
        """);

    // Anything but that one request would be answered with an error.
    assertThat(run("inbox", "--unread", "--peek"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.err()).contains("2 more unread");
        });
  }

  @Test
  void an_answer_in_the_inbox_names_its_question() {
    String inbox =
        """
        {"messages":[{"message_id":"m2","from":"ada","text":"three","read":true,
          "in_reply_to":"01a1ecde-aaaa-7000-8000-000000000001"},
         {"message_id":"m3","from":"ben","text":"four","read":true,
          "in_reply_to":"01a1ecde-bbbb-7000-8000-000000000002"},
         {"message_id":"m4","from":"ben","text":"five","read":true}],"unread":0}
        """;
    daemon.answers("GET /api/inbox?limit=20", 200, inbox);
    daemon.answers("POST /api/inbox/read", 200, "{\"read\":0}");
    daemon.answers(
        "GET /api/messages/01a1ecde-aaaa-7000-8000-000000000001",
        200,
        "{\"text\":\"question talk\\nand %s\"}".formatted("more ".repeat(30)));

    assertThat(run("inbox").out())
        .containsPattern(
            "ada +answer to \"question talk↵and more [^\"]*…\" \\(01a1ecde-aaaa…\\): three\n")
        .as("a question that cannot be read")
        .containsPattern("ben +answer to 01a1ecde-bbbb…: four\n")
        .containsPattern("ben +five\n");
    assertThat(run("inbox", "--json").out()).doesNotContain("question talk");
  }
}
