package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Agents with `toolLoading: deferred`.
@OnOneDatabase
final class DeferredToolsTest {
  private final McpTeam team;

  DeferredToolsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.create(
        "dora",
        """
        {"name":"dora","provider":{"name":"external"},"toolLoading":"deferred"}
        """);
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  void only_find_tools_is_listed_and_it_names_the_others() {
    JsonNode tools = team.rpc("dora", "tools/list", "{}").path("tools");

    assertThat(tools.findValuesAsText("name"))
        .as("an external agent always has check_inbox")
        .containsExactly("find_tools", "check_inbox");
    assertThat(tools.path(0).path("description").asText())
        .contains("Not loaded yet: broadcast, complete,")
        .contains("store_memory");
  }

  @Test
  void tools_that_were_found_are_listed_from_then_on() {
    JsonNode found = team.call("dora", "find_tools", "{\"query\":\"send_message spawn_agent\"}");

    assertThat(found.path("tools").findValuesAsText("name"))
        .contains("send_message", "spawn_agent");
    assertThat(found.at("/tools/0/inputSchema/properties").has("text")).isTrue();
    assertThat(McpTeam.tools(team.client("dora")))
        .startsWith("find_tools")
        .contains("send_message", "spawn_agent")
        .doesNotContain("store_memory");
    assertThat(team.rpc("dora", "tools/list", "{}").at("/tools/0/description").asText())
        .doesNotContain("send_message")
        .contains("store_memory");
  }

  @Test
  void tools_are_found_by_purpose() {
    JsonNode found = team.call("dora", "find_tools", "{\"query\":\"memory\",\"limit\":3}");

    assertThat(found.path("tools").findValuesAsText("name"))
        .containsExactly("search_memory", "store_memory", "update_memory");
  }

  private void flights() {
    var tools = new StringBuilder();
    for (int i = 1; i <= 14; i++) {
      tools.append(
          """
          %s{"name":"tool%d","description":"Books flight %d.","executionType":"internal",
             "execution":{"value":%d}}
          """
              .formatted(i == 1 ? "" : ",", i, i, i));
    }
    team.create(
        "otto",
        """
        {"name":"otto","provider":{"name":"external"},"toolLoading":"deferred","tools":[%s]}
        """
            .formatted(tools));
  }

  private List<String> found(String query) {
    return team.call("otto", "find_tools", "{\"query\":\"" + query + "\"}")
        .path("tools")
        .findValuesAsText("name");
  }

  @Test
  void whole_words_count_more_than_parts_of_words() {
    flights();

    assertThat(found("flight 4")).startsWith("tool4");
    assertThat(found("flight 1")).startsWith("tool1");
  }

  @Test
  void exact_names_load_these_tools_and_no_others() {
    flights();

    assertThat(found("tool1 tool3")).containsExactly("tool1", "tool3");
  }

  @Test
  void a_person_sees_and_tries_all_tools_including_deferred_ones() {
    flights();

    List<String> seen =
        team.daemon
            .get("/api/tools?agent=otto")
            .body()
            .path("tools")
            .valueStream()
            .map(tool -> tool.path("name").asText())
            .toList();
    assertThat(seen).contains("find_tools", "check_inbox", "send_message", "tool1", "tool14");
    assertThat(
            team.daemon
                .post("/api/tools/tool7/call", "{\"agent\":\"otto\",\"arguments\":{}}")
                .status())
        .isEqualTo(200);
  }

  @Test
  void a_query_that_matches_nothing_names_the_tools() {
    JsonNode found = team.call("dora", "find_tools", "{\"query\":\"zzz\"}");

    assertThat(found.path("tools")).isEmpty();
    assertThat(found.path("hint").asText()).contains("No tool matches", "send_message");
    assertThat(McpTeam.tools(team.client("dora"))).containsExactly("find_tools", "check_inbox");
  }

  @Test
  void empty_arguments_count_as_missing() {
    JsonNode found = team.call("dora", "find_tools", "{\"query\":\"memory\",\"limit\":null}");

    assertThat(found.path("tools")).hasSizeGreaterThan(2);
  }

  @Test
  void a_playbook_may_call_find_tools_only_with_deferred_tools() {
    String playbook =
        "\"playbook\":[{\"do\":[{\"call\":\"find_tools\",\"with\":{\"query\":\"memory\"}}]}]";
    String agent = "{\"name\":\"%s\",\"provider\":{\"name\":\"scripted\",%s}%s}";

    assertThat(
            team.daemon
                .post(
                    "/api/agents",
                    agent.formatted("later", playbook, ",\"toolLoading\":\"deferred\""))
                .status())
        .isEqualTo(201);
    assertThat(team.daemon.post("/api/agents", agent.formatted("now", playbook, "")).text("code"))
        .isEqualTo("INVALID_CONFIG");
  }

  @Test
  void a_limit_out_of_range_is_an_error() {
    assertThat(team.refusal("dora", "find_tools", "{\"query\":\"memory\",\"limit\":0}"))
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  void a_tool_can_be_called_by_name_without_loading_it() {
    assertThat(team.call("dora", "check_inbox", "{}").path("messages").isArray()).isTrue();
  }

  @Test
  void agents_without_deferral_have_no_find_tools() {
    assertThat(McpTeam.tools(team.client("mira"))).doesNotContain("find_tools");
    assertThat(team.refusal("mira", "find_tools", "{\"query\":\"memory\"}"))
        .isEqualTo("UNKNOWN_TOOL");
  }
}
