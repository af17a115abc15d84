package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Which tools are listed for agents, and that unlisted ones can still be called.
@OnOneDatabase
final class ListedToolsTest {
  private static final List<String> CONTROL =
      List.of(
          "cancel_reminder",
          "gate",
          "list_children",
          "permit_turn",
          "poke",
          "remind_me",
          "set_agent_metadata",
          "subscribe",
          "ungate",
          "unsubscribe");
  private static final List<String> CHILDREN =
      List.of("inspect_agent", "spawn_agent", "terminate_agent");

  private final McpTeam team;

  ListedToolsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  private List<String> listed(String agent) {
    return McpTeam.tools(team.client(agent));
  }

  private void external(String name, String rest) {
    team.create(
        name, "{\"name\":\"%s\",\"provider\":{\"name\":\"external\"},%s}".formatted(name, rest));
  }

  @Test
  @Requirement("C26")
  void control_tools_are_not_listed_with_the_team_but_can_be_called() {
    assertThat(listed("mira"))
        .contains("send_message", "check_inbox", "complete", "message_status", "list_team")
        .containsAll(CHILDREN)
        .doesNotContainAnyElementsOf(CONTROL);
    assertThat(team.call("mira", "gate", "{\"name\":\"ada\"}").path("status").asText())
        .isEqualTo("gated");
    assertThat(team.call("mira", "list_children", "{}").at("/children/0/name").asText())
        .isEqualTo("ada");
    JsonNode refusal = team.call("mira", "no_such_tool", "{}");
    assertThat(refusal.path("code").asText()).isEqualTo("UNKNOWN_TOOL");
    assertThat(refusal.path("hint").asText()).contains("list_team").doesNotContain("ungate");
    JsonNode shown = team.daemon.get("/api/tools?agent=mira").body().path("tools");
    assertThat(shown)
        .extracting(tool -> tool.path("name").asText())
        .containsExactlyElementsOf(listed("mira"));
  }

  @Test
  @Requirement("C26")
  void the_toolset_control_provides_and_lists_the_control_tools() {
    external("otto", "\"toolsets\":[\"control\"]");
    external("olga", "\"toolsets\":[\"team\",\"control\"]");
    assertThat(listed("otto")).containsAll(CONTROL).doesNotContain("send_message");
    assertThat(listed("olga")).containsAll(CONTROL).contains("send_message");
    assertThat(
            team.call("otto", "remind_me", "{\"text\":\"tide\",\"in_seconds\":60}")
                .path("status")
                .asText())
        .isEqualTo("scheduled");
    external("cleo", "\"toolsets\":[\"channels\"]");
    assertThat(team.refusal("cleo", "gate", "{\"name\":\"ada\"}")).isEqualTo("UNKNOWN_TOOL");
  }

  @Test
  @Requirement("C26")
  void tools_for_children_are_listed_only_if_there_are_or_may_be_some() {
    external("finn", "\"parent\":\"mira\",\"limits\":{\"maxDepth\":1}");
    external("nora", "\"limits\":{\"maxChildren\":0}");
    for (String agent : List.of("finn", "nora")) {
      assertThat(listed(agent)).contains("send_message").doesNotContainAnyElementsOf(CHILDREN);
      assertThat(
              team.refusal(agent, "spawn_agent", "{\"name\":\"kid\",\"instructions\":\"count\"}"))
          .isEqualTo("LIMIT_REACHED");
    }
    external("emil", "\"parent\":\"nora\"");
    assertThat(listed("nora")).containsAll(CHILDREN);
    assertThat(listed("ada")).containsAll(CHILDREN);
  }

  @Test
  @Requirement("C26")
  void an_agent_can_list_its_team() {
    external("emil", "\"parent\":\"ada\",\"description\":\"Counts ships.\",\"role\":\"reviewer\"");
    JsonNode members = team.call("ada", "list_team", "{}").path("members");
    assertThat(members)
        .extracting(one -> one.path("relation").asText() + " " + one.path("name").asText())
        .containsExactly("parent mira", "sibling ben", "child emil");
    JsonNode emil = members.get(2);
    assertThat(McpTeam.fields(emil))
        .containsExactly("name", "handle", "relation", "role", "state", "description");
    assertThat(emil.path("role").asText()).isEqualTo("reviewer");
    assertThat(emil.path("state").asText()).isEqualTo("idle");
    assertThat(emil.path("description").asText()).isEqualTo("Counts ships.");

    assertThat(team.call("mira", "list_team", "{}").at("/members/0/name").asText())
        .isEqualTo("operator");
    team.daemon.post("/api/agents/ada/messages", "{\"text\":\"ready?\"}");
    team.call("ada", "check_inbox", "{}");
    assertThat(team.call("ada", "list_team", "{}").at("/members/0/relation").asText())
        .isEqualTo("operator");
  }

  @Test
  @Requirement("C26")
  void an_agent_can_list_spaces() {
    team.daemon.post(
        "/api/spaces",
        """
        {"id":"deck","name":"Deck","kind":"public","topic":"sails","wakePolicy":"none","members":["mira","ben"]}
        """);
    team.daemon.post(
        "/api/spaces",
        "{\"id\":\"hold\",\"name\":\"Hold\",\"kind\":\"private\",\"members\":[\"ben\"]}");
    team.daemon.post("/api/spaces/deck/messages", "{\"text\":\"all aboard\"}");
    JsonNode spaces = team.call("mira", "list_spaces", "{}").path("spaces");
    JsonNode deck =
        spaces
            .valueStream()
            .filter(one -> one.path("id").asText().equals("deck"))
            .findFirst()
            .get();
    assertThat(deck.toString())
        .isEqualTo(
            "{\"id\":\"deck\",\"name\":\"Deck\",\"kind\":\"public\",\"topic\":\"sails\",\"memberCount\":3,"
                + "\"unread\":1,\"isMember\":true,\"isActive\":false}");
    assertThat(spaces.findValuesAsText("id")).doesNotContain("hold");
    team.call("mira", "enter_space", "{\"spaceId\":\"deck\"}");
    JsonNode after = team.call("mira", "list_spaces", "{}").path("spaces");
    assertThat(after.toString()).contains("\"unread\":0,\"isMember\":true,\"isActive\":true");

    external("cleo", "\"toolsets\":[\"channels\"]");
    assertThat(listed("cleo")).contains("list_spaces", "react_to_message");
    assertThat(listed("mira")).contains("list_spaces", "react_to_message");
    external("both", "\"toolsets\":[\"channels\",\"spaces\"]");
    assertThat(listed("both")).contains("list_spaces", "react_to_message").doesNotHaveDuplicates();
  }
}
