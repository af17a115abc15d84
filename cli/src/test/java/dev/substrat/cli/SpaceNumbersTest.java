package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// References to messages in spaces by number.
final class SpaceNumbersTest extends FakeDaemonCommands {
  private static final String PAGE = "GET /api/spaces/general/messages?limit=";

  private static String page(boolean hasMore, int... numbers) {
    var messages = new StringBuilder();
    for (int number : numbers) {
      messages
          .append(messages.isEmpty() ? "" : ",")
          .append(
              "{\"id\":\"m%1$d\",\"seq\":%1$d,\"author\":\"ada\",\"text\":\"x\"}"
                  .formatted(number));
    }
    return "{\"messages\":[%s],\"hasMore\":%s,\"lastSeq\":120}".formatted(messages, hasMore);
  }

  @Test
  void a_reply_names_the_number_that_was_shown() {
    daemon.answers(PAGE + "1&afterSeq=11", 200, page(true, 12));
    daemon.answers("POST /api/spaces/general/messages", 201, "{\"id\":\"m121\",\"seq\":121}");

    for (String typed : new String[] {"12", "#12", "general#12", "m12"}) {
      assertThat(run("space", "post", "general", "Aye", "--reply-to", typed).code()).isZero();
      assertThat(daemon.requests().getLast()).contains("\"parentId\":\"m12\"");
    }
  }

  @Test
  void a_reaction_names_space_and_number() {
    daemon.answers(PAGE + "1&afterSeq=11", 200, page(true, 12));
    daemon.answers("POST /api/messages/m12/reactions", 200, "{\"changed\":true}");

    assertThat(run("space", "react", "general#12", "👍").out()).isEqualTo("added 👍\n");
    assertThat(run("space", "react", "12", "👍"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("message number 12 needs a space", "general#12");
        });
  }

  @Test
  void an_unknown_message_number_names_the_last_one() {
    daemon.answers(PAGE + "1&afterSeq=499", 200, page(false));

    assertThat(run("space", "react", "general#500", "👍").err())
        .contains("NOT_FOUND: message 500 not found in general; the last message is 120")
        .contains("./substrat space read general");
    assertThat(run("space", "post", "general", "Aye", "--reply-to", "500").code()).isEqualTo(2);
  }

  @Test
  void a_reaction_without_effect_is_reported() {
    daemon.answers("POST /api/messages/m1/reactions", 200, "{\"changed\":false}");
    daemon.answers("DELETE /api/messages/m1/reactions", 200, "{\"changed\":false}");

    assertThat(run("space", "react", "m1", "👍").out())
        .isEqualTo("you have already reacted to this message with 👍\n");
    assertThat(run("space", "react", "m1", "👍", "--remove").out())
        .isEqualTo("you have not reacted to this message with 👍\n");
  }

  @Test
  void a_word_cannot_be_added_as_a_reaction_but_can_be_removed() {
    daemon.answers("DELETE /api/messages/m1/reactions", 200, "{\"changed\":true}");

    assertThat(run("space", "react", "m1", "thumbsup"))
        .satisfies(ran -> {
          assertThat(ran.code()).isEqualTo(2);
          assertThat(ran.err()).contains("'thumbsup' is not an emoji", "👍");
        });
    assertThat(daemon.requests()).isEmpty();
    assertThat(run("space", "react", "m1", "thumbsup", "--remove").out())
        .isEqualTo("removed thumbsup\n");
  }

  @Test
  void a_page_names_the_commands_for_other_pages() {
    daemon.answers(PAGE + "20", 200, page(true, 119, 120));
    daemon.answers(PAGE + "2&beforeSeq=119", 200, page(true, 117, 118));
    daemon.answers(PAGE + "20&afterSeq=3", 200, page(true, 4, 5));
    daemon.answers(PAGE + "20&afterSeq=118", 200, page(false, 119, 120));

    assertThat(run("space", "read", "general", "--peek").err())
        .isEqualTo("older: %s\n".formatted(again("--before 119 --peek")));
    assertThat(run("space", "read", "general", "--peek", "--limit", "2", "--before", "119").err())
        .isEqualTo(
            "older: %s\nnewer: %s\n"
                .formatted(
                    again("--before 117 --limit 2 --peek"), again("--after 118 --limit 2 --peek")));
    assertThat(run("space", "read", "general", "--peek", "--after", "3").err())
        .isEqualTo("newer: %s\n".formatted(again("--after 5 --peek")));
    assertThat(run("space", "read", "general", "--peek", "--after", "118").err()).isEmpty();
  }

  private String again(String options) {
    return "./substrat space read general %s --data %s".formatted(options, data);
  }

  @Test
  void an_empty_page_names_the_last_message() {
    daemon.answers(PAGE + "20&afterSeq=5000", 200, page(false));
    daemon.answers(PAGE + "20&beforeSeq=1", 200, page(false));
    daemon.answers(PAGE + "20", 200, "{\"messages\":[],\"hasMore\":false,\"lastSeq\":0}");

    assertThat(run("space", "read", "general", "--after", "5000").out())
        .isEqualTo("no messages after 5000; the last message is 120\n");
    assertThat(run("space", "read", "general", "--before", "1").out())
        .isEqualTo("no messages before 1; the last message is 120\n");
    assertThat(run("space", "read", "general").out()).isEqualTo("no messages in this space\n");
    assertThat(run("space", "read", "general", "--limit", "0").err())
        .contains("--limit must be 1 to 200, not 0");
  }
}
