package dev.substrat.space;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.Tool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools for spaces: names, parameters, results.
@OnEveryDatabase
final class SpaceToolsTest {
  private final SpaceTeam team;
  private final Agent ada;
  private final Agent ben;

  SpaceToolsTest(TestDatabase kind) {
    this.team = new SpaceTeam(kind.dialect());
    this.ada = team.external("ada");
    this.ben = team.external("ben");
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"S3-21", "S3-22", "S3-33", "S4-1", "S4-2"})
  void each_toolset_has_exactly_its_tools() {
    assertThat(names(agent("s", "spaces")))
        .containsExactly(
            "enter_space",
            "leave_space",
            "list_spaces",
            "react_to_message",
            "read_messages",
            "send_message");
    assertThat(names(agent("c", "channels")))
        .containsExactly("do_nothing", "list_spaces", "react_to_message", "send_message");
    Agent all = agent("all", "team, spaces, channels");
    assertThat(names(all)).doesNotContain("stop_run", "absorb_run", "get_my_runs");
    for (String gone : List.of("stop_run", "absorb_run", "get_my_runs")) {
      assertThat(team.refusal(external("x-" + gone.replace('_', '-')), gone, "{}"))
          .isEqualTo("UNKNOWN_TOOL");
    }
  }

  @Test
  @Requirement({"S3-23", "S3-24", "C5"})
  void an_agent_enters_a_space_and_posts_there_until_it_leaves() {
    team.openSpace("general", ben);
    team.say("general", "welcome");

    JsonNode entered = team.call(ada, "enter_space", "{'spaceId':'general'}");
    JsonNode said = team.call(ada, "send_message", "{'text':'thank you'}");

    assertThat(entered.at("/space/id").asText()).isEqualTo("general");
    assertThat(entered.at("/space/kind").asText()).isEqualTo("public");
    assertThat(entered.path("members")).hasToString("[\"ben\",\"operator\",\"ada\"]");
    assertThat(entered.at("/messages/0/text").asText()).isEqualTo("welcome");
    assertThat(entered.at("/messages/0/author").asText()).isEqualTo("operator");
    assertThat(fields(said)).containsExactly("messageId", "spaceId", "seq");
    assertThat(said.path("spaceId").asText()).isEqualTo("general");
    assertThat(team.said("general")).containsExactly("operator: welcome", "ada: thank you");
    assertThat(team.call(ada, "leave_space", "{}")).hasToString("{\"status\":\"left\"}");
    assertThat(team.refusal(ada, "send_message", "{'text':'hello?'}")).isEqualTo("NO_ACTIVE_SPACE");
    assertThat(team.refusal(ada, "read_messages", "{}")).isEqualTo("NO_ACTIVE_SPACE");
    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "general")).hasSize(3);
  }

  @Test
  @Requirement("S3-25")
  void pages_of_messages_go_back_from_the_newest_and_list_oldest_first() {
    team.openSpace("general", ada, ben);
    for (int i = 1; i <= 5; i++) {
      team.say("general", "m" + i);
    }

    assertThat(read("{'spaceId':'general','limit':2}")).containsExactly("m4", "m5");
    assertThat(read("{'spaceId':'general','offset':2,'limit':2}")).containsExactly("m2", "m3");
    assertThat(read("{'spaceId':'general','offset':4,'limit':2}")).containsExactly("m1");
    assertThat(read("{'spaceId':'general','offset':9}")).isEmpty();
    JsonNode page = team.call(ada, "read_messages", "{'spaceId':'general','limit':2}");
    assertThat(page.path("total").asLong()).isEqualTo(5);
    assertThat(page.path("hasMore").asBoolean()).isTrue();
    assertThat(
            team.call(ada, "read_messages", "{'spaceId':'general','offset':4}")
                .path("hasMore")
                .asBoolean())
        .isFalse();
    assertThat(team.refusal(ada, "read_messages", "{'spaceId':'general','offset':-1}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal(ada, "read_messages", "{'spaceId':'general','limit':0}"))
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  void reading_up_to_the_newest_message_marks_the_space_as_read() {
    team.openSpace("general", ada);
    team.say("general", "one");
    team.call(ada, "read_messages", "{'spaceId':'general','offset':1}");
    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ada.id())))
        .isEqualTo(Map.of("general", 1L));

    team.call(ada, "read_messages", "{'spaceId':'general'}");

    assertThat(team.spaces.history().unread(new Principal.AgentPrincipal(ada.id()))).isEmpty();
  }

  @Test
  @Requirement({"S4-3", "S4-7", "S4-9"})
  void the_channel_tools_return_exactly_the_specified_keys() {
    team.openSpace("general");

    JsonNode said = team.call(ada, "send_message", "{'channelId':'general','text':'hi'}");
    String react = "{'messageId':'%s','emoji':'⛵'}".formatted(said.path("messageId").asText());

    assertThat(fields(said)).containsExactly("messageId");
    assertThat(team.call(ada, "react_to_message", react)).hasToString("{\"success\":true}");
    long events = team.number("select count(*) as n from space_message");
    assertThat(team.call(ada, "do_nothing", "{}")).hasToString("{\"action\":\"none\"}");
    assertThat(team.number("select count(*) as n from space_message")).isEqualTo(events);
    assertThat(team.spaces.members(new Principal.OperatorPrincipal(), "general"))
        .as("an agent that posts in a public space is a member")
        .extracting(Membership::handle)
        .containsExactly("ada");
  }

  /// For each combination of toolsets: the parameters of the tool (a star marks a required one),
  /// and the keys of the result for each kind of address.
  @Test
  @Requirement({"C4", "S0-18", "S3-24", "S4-3"})
  void send_message_has_the_parameters_of_the_agents_toolsets() {
    var takes =
        Map.of(
            "team", "in_reply_to recipient* sync text*",
            "spaces", "text*",
            "channels", "channelId* text*",
            "team, spaces", "in_reply_to recipient sync text*",
            "team, channels", "channelId in_reply_to recipient sync text*",
            "spaces, channels", "channelId text*",
            "team, spaces, channels", "channelId in_reply_to recipient sync text*");
    var gives =
        Map.of(
            "team", List.of("status", "message_id", "waiting_for_reply"),
            "spaces", List.of("messageId", "spaceId", "seq"),
            "channels", List.of("messageId"));
    var gave =
        Map.of(
            "team", "{'recipient':'lead','text':'hi','sync':false}",
            "spaces", "{'text':'hi'}",
            "channels", "{'channelId':'general','text':'hi'}");
    team.openSpace("general");
    agent("lead", "team");
    int number = 0;
    for (String toolsets : takes.keySet()) {
      Agent one = child("one" + number++, toolsets);
      team.enter(one, "general");
      Tool tool = sendMessage(one);

      assertThat(taken(tool.input())).isEqualTo(takes.get(toolsets));
      for (String toolset : List.of("team", "spaces", "channels")) {
        JsonNode result = team.call(one, "send_message", String.valueOf(gave.get(toolset)));
        if (List.of(toolsets.split(", ")).contains(toolset)) {
          assertThat(fields(result)).as(toolsets).isEqualTo(gives.get(toolset));
          tool.output().require(result);
        } else {
          assertThat(result.path("code").asText()).as(toolsets).isEqualTo("INVALID_ARGUMENTS");
        }
      }
    }
  }

  @Test
  @Requirement("C4")
  void a_message_with_two_addresses_is_rejected() {
    team.openSpace("general");
    agent("lead", "team");
    Agent one = child("one", "team, spaces, channels");

    assertThat(
            team.refusal(
                one, "send_message", "{'recipient':'lead','channelId':'general','text':'hi'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(
            team.refusal(
                one, "send_message", "{'recipient':'#general','channelId':'general','text':'hi'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.said("general")).isEmpty();
  }

  @Test
  @Requirement({"C4", "C20"})
  void a_turn_about_a_question_posts_only_with_an_address() {
    team.openSpace("general");
    String steps =
        """
        { call: enter_space, with: { spaceId: general } },
        { call: send_message, with: { text: 'a private answer' } },
        { call: send_message, with: { recipient: '#general', text: 'an announcement' } },
        { say: 'done' }
        """;
    for (String name : List.of("asked", "told")) {
      team.agent(
          """
          name: %s
          toolsets: [team, spaces]
          provider:
            name: scripted
            playbook:
              - when: { kind: message }
                do: [ %s ]
          """
              .formatted(name, steps.replace("\n", " ").strip()));
    }
    team.engine
        .messages()
        .fromOperator("asked", new Messages.PersonMessage("how?", true, null), null);
    team.settle();
    assertThat(team.said("general")).containsExactly("asked: an announcement");

    team.engine
        .messages()
        .fromOperator("told", new Messages.PersonMessage("go", false, null), null);
    team.settle();
    assertThat(team.said("general"))
        .as("no question is open")
        .endsWith("told: a private answer", "told: an announcement");
  }

  @Test
  @Requirement("S4-18")
  void invalid_arguments_of_space_tools_are_rejected() {
    assertThat(team.refusal(ada, "send_message", "{'channelId':7,'text':'hi'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal(ada, "enter_space", "{}")).isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal(ada, "do_nothing", "{'why':'x'}")).isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal(ada, "react_to_message", "{'messageId':'m'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(team.refusal(ada, "react_to_message", "{'messageId':'m','emoji':'x'}"))
        .isEqualTo("MESSAGE_NOT_FOUND");
  }

  private List<String> read(String arguments) {
    var texts = new ArrayList<String>();
    team.call(ada, "read_messages", arguments)
        .path("messages")
        .forEach(message -> texts.add(message.path("text").asText()));
    return texts;
  }

  private Agent agent(String name, String toolsets) {
    return team.agent(
        "{name: %s, toolsets: [%s], provider: {name: external}}".formatted(name, toolsets));
  }

  private Agent external(String name) {
    return team.external(name);
  }

  private Agent child(String name, String toolsets) {
    return team.agent(
        "{name: %s, parent: lead, toolsets: [%s], provider: {name: external}}"
            .formatted(name, toolsets));
  }

  /// Tools of agents that the daemon runs; an external agent has one more for its inbox.
  private List<String> names(Agent agent) {
    return List.copyOf(team.engine.pipeline().inputs(agent.config()).keySet());
  }

  private Tool sendMessage(Agent agent) {
    return team.engine.pipeline().of(agent).stream()
        .filter(tool -> tool.name().equals("send_message"))
        .findFirst()
        .orElseThrow();
  }

  private static String taken(JsonSchema schema) {
    var keys = new TreeMap<String, String>();
    fields(schema.json().path("properties")).forEach(key -> keys.put(key, key));
    schema.json().path("required").forEach(key -> keys.put(key.asText(), key.asText() + "*"));
    return String.join(" ", keys.values());
  }

  private static List<String> fields(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }
}
