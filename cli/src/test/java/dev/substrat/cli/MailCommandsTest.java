package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Commands about mail: where a message is, and the operator's inbox.
final class MailCommandsTest extends PlayedCommands {
  @Test
  void a_message_tells_how_far_it_has_come() {
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

  @Test
  void the_inbox_marks_what_is_new_and_what_was_shown_is_read() {
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
          assertThat(ran.err()).contains("there may be older ones");
        });
    assertThat(daemon.requests().getLast()).contains("\"up_to\":\"m2\"");
  }

  @Test
  void what_was_not_shown_stays_unread() {
    daemon.answers(
        "GET /api/inbox?limit=1",
        200,
        """
        {"messages":[{"message_id":"m9","from":"ben","text":"newest","read":false}],"unread":3}
        """);

    // Reading up to the newest would take the older ones along; nothing else is answered here.
    assertThat(run("inbox", "--limit", "1"))
        .satisfies(ran -> {
          assertThat(ran.code()).isZero();
          assertThat(ran.err()).contains("2 more unread", "inbox --unread");
        });
  }

  @Test
  void a_glance_at_the_inbox_leaves_everything_unread() {
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
