package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Await;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Results describe the effect of a call, messages go to the intended recipient, and arguments are
/// accepted as models write them.
@OnOneDatabase
final class ToolResultsTest {
  private final McpTeam team;

  ToolResultsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.daemon.post(
        "/api/spaces",
        """
        {"id":"deck","name":"Deck","kind":"public","wakePolicy":"all","members":["mira","ada","ben"]}
        """);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private JsonNode call(String agent, String tool, String arguments) {
    return team.call(agent, tool, arguments.replace('\'', '"'));
  }

  private String ask(String from, String to, String text) {
    return call(from, "send_message", "{'recipient':'%s','text':'%s'}".formatted(to, text))
        .path("message_id")
        .asText();
  }

  private long posts() {
    return team.daemon.get("/api/spaces/deck/messages").body().path("messages").size();
  }

  @Test
  @Requirement("C26")
  void send_results_name_the_answered_and_the_open_questions() {
    String first = ask("mira", "ada", "one?");
    String second = ask("ben", "ada", "two?");
    JsonNode inbox = call("ada", "check_inbox", "{}");
    assertThat(inbox.path("waiting_for_you").toString())
        .isEqualTo(
            "[{\"from\":\"mira\",\"message_id\":\"%s\"},{\"from\":\"ben\",\"message_id\":\"%s\"}]"
                .formatted(first, second));

    JsonNode broadcast = call("ada", "broadcast", "{'text':'working on it'}");
    assertThat(broadcast.path("waiting_for_you")).hasSize(2);
    JsonNode answer = call("ada", "send_message", "{'recipient':'mira','text':'1'}");
    assertThat(answer.path("answers").asText()).isEqualTo(first);
    assertThat(answer.path("waiting_for_you").findValuesAsText("message_id"))
        .containsExactly(second);
    JsonNode done = call("ada", "complete", "{'text':'2'}");
    assertThat(done.path("answered").asInt()).isEqualTo(1);
    assertThat(done.path("answers").asText()).isEqualTo(second);
    assertThat(McpTeam.fields(done)).containsExactly("status", "answered", "answers");
    assertThat(McpTeam.fields(call("ada", "check_inbox", "{}"))).containsExactly("messages");
  }

  /// The asker that answers a counter-question still waits for the result.
  @Test
  @Requirement("A4")
  void the_answer_to_a_counter_question_asks_again() {
    ask("mira", "ada", "paint it");
    call("ada", "check_inbox", "{}");
    JsonNode back = call("ada", "send_message", "{'recipient':'mira','text':'which colour?'}");
    assertThat(back.path("waiting_for_reply").asBoolean()).isFalse();
    call("mira", "check_inbox", "{}");

    JsonNode colour =
        call(
            "mira",
            "send_message",
            "{'recipient':'ada','text':'red','sync':true,'in_reply_to':'%s'}"
                .formatted(back.path("message_id").asText()));
    assertThat(colour.path("waiting_for_reply").asBoolean()).isTrue();
    call("ada", "check_inbox", "{}");
    JsonNode done = call("ada", "send_message", "{'recipient':'mira','text':'painted red'}");
    assertThat(done.path("answers")).isEqualTo(colour.path("message_id"));
    assertThat(call("mira", "check_inbox", "{}").at("/messages/0/kind").asText())
        .isEqualTo("reply");
  }

  @Test
  @Requirement({"C26", "A15"})
  void spawning_an_external_child_says_how_it_starts() {
    JsonNode spawned =
        call("mira", "spawn_agent", "{'name':'noor','instructions':'count the boats'}");
    assertThat(spawned.path("hint").asText())
        .contains("noor is an external agent", "does not start by itself", "defaultProvider");
    assertThat(listed("mira", "spawn_agent").path("description").asText())
        .doesNotContain("at once", "starts with its instructions after your turn");
  }

  @Test
  @Requirement("C26")
  void a_result_without_a_question_goes_to_the_parent_or_the_operator() {
    JsonNode toParent = call("ada", "complete", "{'text':'42 boats'}");
    assertThat(toParent.path("hint").asText()).isEqualTo("Sent to your parent mira.");
    assertThat(call("mira", "check_inbox", "{}").toString()).contains("42 boats");

    JsonNode toOperator = call("mira", "complete", "{'text':'43 boats'}");
    assertThat(McpTeam.fields(toOperator)).containsExactly("status", "answered", "hint");
    assertThat(toOperator.path("hint").asText()).isEqualTo("Sent to the operator's inbox.");
    JsonNode messages = team.daemon.get("/api/inbox").body().path("messages").path(0);
    assertThat(messages.path("text").asText()).isEqualTo("43 boats");
    assertThat(messages.path("from").asText()).isEqualTo("mira");
    assertThat(messages.path("kind").asText()).isEqualTo("message");
  }

  @Test
  @Requirement("C26")
  void a_message_without_an_address_outside_of_spaces_is_rejected_with_both_options() {
    for (String arguments : List.of("{'text':'hi'}", "{'recipient':'','text':'hi'}")) {
      JsonNode refused = call("ada", "send_message", arguments);
      assertThat(refused.path("code").asText()).isEqualTo("NO_ACTIVE_SPACE");
      assertThat(refused.path("hint").asText()).contains("recipient", "enter_space");
    }
    assertThat(call("ada", "read_messages", "{}").path("hint").asText())
        .doesNotContain("recipient");
    team.create(
        "solo",
        "{\"name\":\"solo\",\"provider\":{\"name\":\"external\"},\"toolsets\":[\"spaces\"]}");
    assertThat(call("solo", "send_message", "{'text':'hi'}").path("hint").asText())
        .contains("enter_space")
        .doesNotContain("recipient");
    team.create(
        "post", "{\"name\":\"post\",\"provider\":{\"name\":\"external\"},\"toolsets\":[\"team\"]}");
    JsonNode refused = call("post", "send_message", "{'recipient':'','text':'hi'}");
    assertThat(refused.path("message").asText()).contains("recipient");
    assertThat(refused.path("hint").asText()).contains("operator");
  }

  @Test
  @Requirement("C26")
  void texts_for_external_agents_do_not_mention_turns() {
    team.create(
        "vera",
        """
        {"name":"vera","provider":{"name":"external"},"parent":"mira",
         "toolsets":["team","spaces","channels","memory","goals","workspace"],
         "tools":[{"name":"ask_person","description":"Asks.","executionType":"space"}]}
        """);
    for (JsonNode tool : team.rpc("vera", "tools/list", "{}").path("tools")) {
      assertThat(tool.path("description").asText())
          .as(tool.path("name").asText())
          .doesNotContainPattern("(later|every|next|your|end your) turns?\\b")
          .doesNotContain("[[", "as an event");
    }
    assertThat(listed("vera", "ask_person").path("description").asText())
        .contains("will be in check_inbox");
  }

  @Test
  @Requirement("C26")
  void tool_texts_explain_that_a_message_without_an_address_is_rejected_during_a_question() {
    for (String tool : List.of("send_message", "enter_space")) {
      assertThat(listed("ada", tool).path("description").asText().replaceAll("\\s+", " "))
          .as(tool)
          .contains("fails while", "waits for your answer");
    }
  }

  private JsonNode listed(String agent, String tool) {
    return team.rpc(agent, "tools/list", "{}")
        .path("tools")
        .valueStream()
        .filter(one -> one.path("name").asText().equals(tool))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @Requirement("C26")
  void a_question_that_was_not_shown_yet_is_not_listed() {
    ask("mira", "ada", "one?");
    JsonNode sent = call("ada", "send_message", "{'recipient':'ben','text':'hi','sync':false}");
    assertThat(McpTeam.fields(sent)).containsExactly("status", "message_id", "waiting_for_reply");
  }

  @Test
  @Requirement("C26")
  void the_hint_is_in_the_structured_result_and_in_the_text() {
    JsonNode result =
        team.rpc(
            "ada",
            "tools/call",
            """
            {"name":"send_message","arguments":{"recipient":"ben","text":"ready?"}}
            """);
    String hint = result.at("/structuredContent/hint").asText();
    assertThat(hint).contains("check_inbox");
    assertThat(result.at("/content/0/text").asText()).contains(hint);
    assertThat(result.path("_meta").toString()).contains(hint);
  }

  @Test
  @Requirement("C26")
  void the_status_of_a_message_is_explained_for_both_sides() {
    String id = ask("mira", "ada", "ready?");
    assertThat(status("mira", id).path("explanation").asText())
        .isEqualTo("ada has not seen it yet.");
    call("ada", "check_inbox", "{}");
    String reply =
        call("ada", "send_message", "{'recipient':'mira','text':'aye'}")
            .path("message_id")
            .asText();
    for (String agent : new String[] {"mira", "ada"}) {
      JsonNode status = status(agent, id);
      assertThat(status.path("status").asText()).isEqualTo("replied");
      assertThat(status.path("reply").toString())
          .isEqualTo("{\"message_id\":\"%s\",\"text\":\"aye\"}".formatted(reply));
    }
    assertThat(status("ada", id).path("explanation").asText()).isEqualTo("You have answered it.");
    assertThat(status("ben", id).path("code").asText()).isEqualTo("MESSAGE_NOT_FOUND");
  }

  @Test
  @Requirement("C26")
  void the_status_of_a_post_says_who_got_it_and_how_many_answered() {
    String post =
        call("ada", "send_message", "{'recipient':'#deck','text':'land!'}")
            .path("messageId")
            .asText();
    JsonNode answer =
        call("ben", "send_message", "{'text':'where?','in_reply_to':'%s'}".formatted(post));
    assertThat(answer.path("answers").asText()).isEqualTo(post);
    JsonNode status = status("ada", post);
    assertThat(status.path("status").asText()).isEqualTo("posted");
    assertThat(status.path("space").asText()).isEqualTo("deck");
    assertThat(status.path("woken").toString()).isEqualTo("[\"mira\",\"ben\"]");
    assertThat(status.path("replies").asInt()).isEqualTo(1);
    assertThat(status.path("explanation").asText()).contains("deck", "mira, ben");
  }

  @Test
  @Requirement({"C26", "N2"})
  void the_status_of_a_held_post_follows_its_release() {
    team.daemon.createAgent("listener", "[]");
    team.daemon.post(
        "/api/agents",
        """
        {"name":"crier","toolsets":["spaces"],"provider":{"name":"scripted","playbook":
         [{"when":{"kind":"message"},"do":[{"call":"enter_space","with":{"spaceId":"mast"}},
           {"call":"send_message","with":{"text":"Land ho"}}]}]}}
        """);
    team.daemon.post(
        "/api/spaces",
        """
        {"id":"mast","name":"Mast","members":["ada","crier","listener"],"maxChainDepth":1}
        """);
    tell("crier", "go", false);
    Await.until(() -> !team.daemon.get("/api/held").body().path("messages").isEmpty());
    String id = team.daemon.get("/api/held").body().at("/messages/0/message_id").asText();

    assertThat(status("ada", id).path("held").asText()).startsWith("chain depth: ");
    team.daemon.post("/api/spaces/mast/release", "{}");

    assertThat(status("ada", id).has("held")).isFalse();
    assertThat(status("ada", id).path("explanation").asText())
        .isEqualTo("Posted in mast; it wakes ada, listener.");
  }

  private JsonNode status(String agent, String id) {
    return call(agent, "message_status", "{'message_id':'%s'}".formatted(id));
  }

  @Test
  @Requirement({"C4", "C26"})
  void an_answer_without_a_recipient_is_not_posted_publicly() {
    ask("mira", "ada", "what is the password?");
    call("ada", "check_inbox", "{}");
    call("ada", "enter_space", "{'spaceId':'deck'}");
    JsonNode refused = call("ada", "send_message", "{'text':'it is swordfish','sync':true}");
    assertThat(refused.path("code").asText()).isEqualTo("INVALID_ARGUMENTS");
    assertThat(refused.path("hint").asText()).contains("\"recipient\": \"mira\"", "\"#general\"");
    assertThat(posts()).isZero();

    JsonNode posted = call("ada", "send_message", "{'recipient':'#deck','text':'good morning'}");
    assertThat(posted.path("spaceId").asText()).isEqualTo("deck");
    assertThat(posted.path("waiting_for_you").path(0).path("from").asText()).isEqualTo("mira");
    call("ada", "send_message", "{'recipient':'mira','text':'swordfish'}");
    JsonNode plain = call("ada", "send_message", "{'text':'all is well','sync':true}");
    assertThat(plain.path("spaceId").asText()).isEqualTo("deck");
    assertThat(posts()).isEqualTo(2);
  }

  @Test
  @Requirement({"C4", "C26"})
  void a_message_with_in_reply_to_needs_no_recipient() {
    String question = ask("mira", "ada", "ready?");
    call("ada", "check_inbox", "{}");
    call("ada", "enter_space", "{'spaceId':'deck'}");
    JsonNode sent =
        call("ada", "send_message", "{'text':'aye','in_reply_to':'%s'}".formatted(question));
    assertThat(sent.path("answers").asText()).as(sent.toString()).isEqualTo(question);
    assertThat(posts()).isZero();
  }

  /// Entering a space, in this turn or an earlier one, does not make it the place for an answer.
  @Test
  @Requirement({"C4", "C26"})
  void a_turn_about_a_question_needs_an_address_also_after_entering_a_space() {
    team.daemon.post(
        "/api/agents",
        """
        {"name":"sam","provider":{"name":"scripted","playbook":[
          {"when":{"text":"^enter"},"do":[
            {"call":"enter_space","with":{"spaceId":"deck"}},
            {"call":"send_message","with":{"text":"it is swordfish"},"save":"sent"},
            {"say":"{{sent.code}}"}]},
          {"do":[
            {"call":"send_message","with":{"text":"it is swordfish"},"save":"sent"},
            {"say":"{{sent.code}}"}]}]}}
        """);

    assertThat(answer("enter the deck, then tell me")).isEqualTo("INVALID_ARGUMENTS");
    assertThat(answer("what is the password?")).isEqualTo("INVALID_ARGUMENTS");
    assertThat(posts()).isZero();
  }

  /// A question that a turn about something else has read may be answered there and then.
  @Test
  @Requirement({"C4", "C20"})
  void a_turn_that_has_read_a_question_needs_an_address() {
    team.daemon.post(
        "/api/agents",
        """
        {"name":"sam","provider":{"name":"scripted","playbook":[
          {"when":{"text":"^go"},"do":[
            {"call":"enter_space","with":{"spaceId":"deck"}},
            {"call":"check_inbox"},
            {"call":"send_message","with":{"text":"it is swordfish"},"save":"sent"},
            {"say":"{{sent.code}}"}]},
          {"do":[{"say":"asked again"}]}]}}
        """);
    team.daemon.post("/api/agents/sam/gate", "{\"gated\":true}");
    tell("sam", "go on", false);
    tell("sam", "what is the password?", true);
    team.daemon.post("/api/agents/sam/gate", "{\"gated\":false}");

    Await.until(() ->
        team.daemon
                .get("/api/runs?agent=sam")
                .body()
                .path("runs")
                .valueStream()
                .filter(run -> run.path("status").asText().equals("done"))
                .count()
            == 2);
    assertThat(posts()).isZero();
  }

  private void tell(String agent, String text, boolean sync) {
    team.daemon.post(
        "/api/agents/" + agent + "/messages",
        "{\"text\":\"%s\",\"sync\":%s}".formatted(text, sync));
  }

  private String answer(String question) {
    String id =
        team.daemon
            .post("/api/agents/sam/messages", "{\"text\":\"%s\"}".formatted(question))
            .text("message_id");
    Await.until(() ->
        team.daemon.get("/api/messages/" + id).body().path("status").asText().equals("replied"));
    return team.daemon.get("/api/messages/" + id).body().at("/reply/text").asText();
  }

  @Test
  @Requirement("C4")
  void root_agents_write_to_the_operator_and_others_get_the_reason_why_not() {
    assertThat(
            call("mira", "send_message", "{'recipient':'operator','text':'done','sync':false}")
                .path("status")
                .asText())
        .isEqualTo("sent");
    JsonNode refused = call("ada", "send_message", "{'recipient':'operator','text':'done'}");
    assertThat(refused.path("code").asText()).isEqualTo("RECIPIENT_UNREACHABLE");
    assertThat(refused.path("hint").asText())
        .contains("without a parent", "while the operator waits", "mira");
  }

  @Test
  @Requirement("C4")
  void a_channel_takes_thread_replies_and_ignores_sync() {
    team.create(
        "cleo",
        """
        {"name":"cleo","provider":{"name":"external"},"toolsets":["team","channels"]}
        """);
    String post =
        team.daemon.post("/api/spaces/deck/messages", "{\"text\":\"all aboard\"}").text("id");
    JsonNode said =
        call(
            "cleo",
            "send_message",
            "{'channelId':'deck','text':'aye','sync':true,'in_reply_to':'%s'}".formatted(post));
    assertThat(said.path("answers").asText()).as(said.toString()).isEqualTo(post);
    assertThat(
            call("cleo", "send_message", "{'recipient':'#deck','text':'again'}").has("messageId"))
        .isTrue();
  }

  @Test
  @Requirement("C26")
  void empty_optional_arguments_count_as_missing() {
    String question = ask("mira", "ada", "ready?");
    assertThat(
            call("ada", "check_inbox", "{'sender':'','kind':null}")
                .at("/messages/0/message_id")
                .asText())
        .isEqualTo(question);
    JsonNode sent =
        call("ada", "send_message", "{'recipient':'mira','text':'aye','in_reply_to':''}");
    assertThat(sent.path("answers").asText()).isEqualTo(question);
    call("ada", "enter_space", "{'spaceId':'deck'}");
    JsonNode posted = call("ada", "send_message", "{'recipient':'','text':'hello'}");
    assertThat(posted.path("spaceId").asText()).as(posted.toString()).isEqualTo("deck");
    call("ada", "set_memories", "{'memories':[{'key':'ship','value':'Alma'}]}");
    assertThat(call("ada", "get_memories", "{'keys':[]}").path("memories")).hasSize(1);
    assertThat(call("ada", "store_memory", "{'content':'High tide.','tags':[]}").has("passageId"))
        .isTrue();
    assertThat(call("ada", "send_message", "{'recipient':'mira','text':''}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("C26")
  void both_spellings_of_a_key_are_accepted() {
    String id = ask("mira", "ada", "ready?");
    assertThat(
            call("mira", "message_status", "{'messageId':'%s'}".formatted(id))
                .path("status")
                .asText())
        .isEqualTo("stored");
    assertThat(call("ada", "enter_space", "{'space_id':'deck'}").at("/space/id").asText())
        .isEqualTo("deck");
    String reminder =
        call("ada", "remind_me", "{'text':'tide','inSeconds':60}").path("reminder_id").asText();
    assertThat(
            call("ada", "cancel_reminder", "{'reminderId':'%s'}".formatted(reminder))
                .path("status")
                .asText())
        .isEqualTo("cancelled");
    assertThat(call("ada", "enter_space", "{'space':'deck'}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  @Requirement("C26")
  void a_time_with_an_offset_ignores_the_zone_beside_it() {
    JsonNode plan =
        call(
                "ada",
                "set_plans",
                """
                {'plans':[{'id':'','name':'tide','instruction':'look','cron':'',
                 'scheduledAt':'2030-03-01T08:00:00Z','timezone':'Europe/Berlin'}]}
                """)
            .at("/plans/0");
    assertThat(plan.path("scheduledAt").asText()).isEqualTo("2030-03-01T08:00:00Z");
  }
}
