package dev.substrat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.cli.terminal.CommandEnvironment;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Commands for spaces.
final class SpaceCommandsTest extends FakeDaemonCommands {
  private static final String GENERAL =
      """
      {"id":"general","name":"General","kind":"public","topic":"the harbor","wakePolicy":"all",
       "lastSeq":3,"unread":2,"memberCount":2,"held":1,"heldReason":"too many messages",
       "typing":["ada"],"members":[
         {"handle":"ada","name":"Ada","kind":"agent","lastReadSeq":3},
         {"handle":"ana","name":"Ana\\u001b[31m","kind":"person","lastReadSeq":1}]}
      """;

  private static final String MESSAGES =
      """
      {"messages":[
        {"id":"m1","seq":1,"author":"ana","text":"who watches?","reactions":[
          {"emoji":"👍","author":"ada"},{"emoji":"👍","author":"bo"}]},
        {"id":"m2","seq":2,"author":"ada","text":"I do\\u001b[2J","parentId":"m1","reactions":[]}],
       "hasMore":false}
      """;

  @Test
  void a_space_is_created_from_options() {
    daemon.answers("POST /api/spaces", 201, "{\"id\":\"night-shift\"}");

    var ran =
        run(
            "space",
            "create",
            "Night Shift",
            "--kind",
            "private",
            "--wake",
            "mention",
            "--topic",
            "who watches",
            "--members",
            "ada,ana");

    assertThat(ran.out()).contains("created  night-shift", "space post night-shift TEXT");
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/spaces {\"name\":\"Night Shift\",\"kind\":\"private\","
                + "\"topic\":\"who watches\",\"wakePolicy\":\"mention\","
                + "\"members\":[\"ada\",\"ana\"]}");
  }

  @Test
  void spaces_are_listed_and_shown() {
    daemon.answers("GET /api/spaces", 200, "{\"spaces\":[" + GENERAL + "]}");
    daemon.answers("GET /api/spaces/general", 200, GENERAL);

    assertThat(run("space", "list").out().lines().skip(1))
        .containsExactly("general  public  2        2       3         all    the harbor");
    assertThat(run("space", "list", "--data=" + data)).isEqualTo(run("space", "list"));
    assertThat(run("space", "show", "general").out())
        .contains("the harbor", "1: too many messages", "typing", "Ana\\u{1B}[31m")
        .doesNotContain("\u001b");
    assertThat(run("space", "members", "general").out()).contains("ana", "person");
    assertThat(run("space", "members", "general", "--json").out())
        .startsWith("{\"members\":[{\"handle\":\"ada\"");
    daemon.answers("GET /api/spaces", 200, "{\"spaces\":[]}");
    assertThat(run("space", "list").out()).startsWith("no spaces yet; create a space: ./substrat");
  }

  @Test
  void shown_messages_are_marked_as_read_unless_peek() {
    daemon.answers("GET /api/spaces/general/messages?limit=20", 200, MESSAGES);
    daemon.answers("POST /api/spaces/general/read", 200, "{\"unread\":0}");

    assertThat(run("space", "read", "general", "--peek").out().lines())
        .contains("1        ana     👍2  who watches?", "2        ada     ↩1   I do\\u{1B}[2J");
    assertThat(daemon.requests()).hasSize(1);
    run("space", "read", "general");
    assertThat(daemon.requests().getLast()).isEqualTo("POST /api/spaces/general/read {\"seq\":2}");
  }

  @Test
  void turns_that_finished_without_posting_follow_the_messages() {
    daemon.answers(
        "GET /api/spaces/general/messages?limit=20",
        200,
        """
        {"messages":[{"seq":1,"author":"ana","text":"who watches?"},
          {"seq":2,"author":"ana","text":"well?"}],
         "finishedWithoutPosting":[{"runId":"r1","agent":"ben","text":"not me","afterSeq":1}]}
        """);

    assertThat(run("space", "read", "general", "--peek").out())
        .containsSubsequence("who watches?", "ben", "(finished without posting) not me", "well?");
  }

  @Test
  void a_person_who_is_not_a_member_can_read_a_space() {
    daemon.answers("GET /api/spaces/general/messages?limit=20", 200, MESSAGES);
    daemon.answers(
        "POST /api/spaces/general/read",
        403,
        "{\"error\":true,\"code\":\"NOT_A_MEMBER\",\"message\":\"x\",\"hint\":\"y\"}");

    assertThat(run("space", "read", "general").code()).isZero();
  }

  @Test
  void a_range_of_messages_is_requested() {
    daemon.answers(
        "GET /api/spaces/general/messages?limit=5&beforeSeq=9&afterSeq=3", 200, MESSAGES);

    var ran =
        run(
            "space",
            "read",
            "general",
            "--limit",
            "5",
            "--before",
            "9",
            "--after",
            "3",
            "--peek",
            "--json");
    assertThat(ran.out()).startsWith("{\"messages\":[{\"id\":\"m1\"");
  }

  @Test
  void messages_and_reactions_are_posted() {
    daemon.answers(
        "POST /api/spaces/general/messages",
        201,
        "{\"id\":\"m3\",\"seq\":3,\"author\":\"operator\",\"held\":null}");
    daemon.answers("POST /api/messages/m1/reactions", 200, "{\"reactions\":[]}");
    daemon.answers("DELETE /api/messages/m1/reactions", 200, "{\"reactions\":[]}");

    assertThat(run("space", "post", "general", "I do", "--reply-to", "m1").out())
        .contains("posted  m3", "as      operator")
        .doesNotContain("held");
    assertThat(run("space", "post", "general", "-5 degrees").code()).isZero();
    assertThat(run("space", "react", "m1", "👍").out()).isEqualTo("added 👍\n");
    assertThat(run("space", "react", "m1", "👍", "--remove").code()).isZero();
    assertThat(daemon.requests())
        .containsExactly(
            "POST /api/spaces/general/messages {\"text\":\"I do\",\"parentId\":\"m1\"}",
            "POST /api/spaces/general/messages {\"text\":\"-5 degrees\"}",
            "POST /api/messages/m1/reactions {\"emoji\":\"👍\"}",
            "DELETE /api/messages/m1/reactions {\"emoji\":\"👍\"}");
    assertThat(run("space", "post", "general", " ").code()).isEqualTo(2);
  }

  @Test
  void members_topic_and_held_messages_are_changed() {
    daemon.answers("POST /api/spaces/general/members", 200, "{\"members\":[]}");
    daemon.answers("DELETE /api/spaces/general/members", 200, "{\"members\":[]}");
    daemon.answers("PUT /api/spaces/general", 200, GENERAL);
    daemon.answers("POST /api/spaces/general/release", 200, "{\"released\":2}");

    assertThat(run("space", "add", "general", "ben", "ana").out()).isEqualTo("added ben, ana\n");
    assertThat(run("space", "remove", "general", "ben").out()).isEqualTo("removed ben\n");
    assertThat(run("space", "topic", "general", "repairs").out())
        .isEqualTo("topic of general: repairs\n");
    assertThat(run("space", "release", "general").out()).isEqualTo("released 2\n");
    assertThat(daemon.requests())
        .contains(
            "POST /api/spaces/general/members {\"member\":\"ben\"}",
            "POST /api/spaces/general/members {\"member\":\"ana\"}",
            "DELETE /api/spaces/general/members {\"member\":\"ben\"}",
            "PUT /api/spaces/general {\"topic\":\"repairs\"}");
  }

  @Test
  void a_space_is_changed() {
    daemon.answers("PUT /api/spaces/general", 200, GENERAL);

    String[] all = {"--name", "Quay", "--topic", "", "--wake", "none", "--depth", "5"};
    assertThat(run(Stream.concat(Stream.of("space", "set", "general"), Stream.of(all))).out())
        .contains("space     general", "the harbor");
    assertThat(run("space", "set", "general").err()).contains("nothing to change");
    assertThat(daemon.requests())
        .containsExactly(
            "PUT /api/spaces/general {\"name\":\"Quay\",\"topic\":\"\",\"wakePolicy\":\"none\","
                + "\"maxChainDepth\":5}");
  }

  private CliOutput run(Stream<String> words) {
    return run(words.toArray(String[]::new));
  }

  @Test
  void a_persons_token_in_the_environment_overrides_the_operators() {
    daemon.answers("GET /api/spaces/general", 200, GENERAL);
    var here = CommandEnvironment.current();
    String[] show = {"--data", data.toString(), "space", "show", "general"};

    var wrong =
        new CommandEnvironment(
            Map.of("SUBSTRAT_PERSON_TOKEN", "substrat_ana_x"), here.home(), ".", here.kind());
    assertThat(CliOutput.of(wrong, show).err())
        .contains("UNAUTHORIZED: the token in SUBSTRAT_PERSON_TOKEN is not valid for this daemon")
        .contains("token create --person")
        .doesNotContain("operator.token");
    var right =
        new CommandEnvironment(
            Map.of("SUBSTRAT_PERSON_TOKEN", FakeDaemon.TOKEN), here.home(), ".", here.kind());
    assertThat(CliOutput.of(right, show).code()).isZero();
    daemon.answers(
        "GET /api/spaces/crew",
        403,
        "{\"code\":\"FORBIDDEN\",\"message\":\"no\",\"hint\":\"use the operator's token\"}");
    String[] crew = {"--data", data.toString(), "space", "show", "crew"};
    assertThat(CliOutput.of(right, crew).err())
        .contains("hint: unset SUBSTRAT_PERSON_TOKEN to act as the operator");
    var agents =
        new CommandEnvironment(
            Map.of("SUBSTRAT_TOKEN", "substrat_ada_x"), here.home(), ".", here.kind());
    assertThat(CliOutput.of(agents, show).code())
        .as("an agent's token is for MCP clients")
        .isZero();
  }

  @Test
  void a_post_names_the_command_for_answers() {
    daemon.answers(
        "POST /api/spaces/general/messages",
        201,
        "{\"id\":\"m3\",\"seq\":3,\"author\":\"operator\",\"held\":null}");

    assertThat(run("space", "post", "general", "Who is on watch?").out())
        .containsPattern(
            "answer +appears in the space: ./substrat space read general --data \\S+\n");
  }
}
