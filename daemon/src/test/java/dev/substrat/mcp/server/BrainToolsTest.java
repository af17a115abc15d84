package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.server.TestClient;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Brain entries that zoo clients write for an agent.
@OnOneDatabase
@Requirement({"S2-43", "C11"})
final class BrainToolsTest {
  private static final List<String> TOOLS =
      List.of(
          "agent_zoo_create_brain_entry",
          "agent_zoo_update_brain_entry",
          "agent_zoo_delete_brain_entry",
          "agent_zoo_query_brain");

  private final McpTeam team;
  private final TestClient visitor;
  private final Map<String, JsonNode> cards = new HashMap<>();

  BrainToolsTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    this.visitor = team.daemon.as(team.daemon.post("/api/tokens", "{\"zoo\":true}").text("token"));
    rpc("tools/list", McpTeam.WITH_OUTPUT)
        .path("tools")
        .forEach(card -> cards.put(card.path("name").asText(), card));
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    team.close();
  }

  @Test
  @Requirement({"S2-26", "S2-35"})
  void brain_tools_are_listed_with_the_zoo_tools_and_require_an_agent_id() {
    assertThat(cards).hasSize(7).containsKeys(TOOLS.toArray(String[]::new));
    for (String tool : TOOLS) {
      assertThat(card(tool).at("/inputSchema/required").toString()).startsWith("[\"agentId\"");
    }
    assertThat(card("agent_zoo_query_brain").at("/annotations/readOnlyHint").asBoolean()).isTrue();
    assertThat(card("agent_zoo_create_brain_entry").at("/annotations/readOnlyHint").asBoolean(true))
        .isFalse();
    assertThat(card("agent_zoo_delete_brain_entry").at("/annotations/destructiveHint").asBoolean())
        .isTrue();
  }

  @Test
  void an_entry_is_written_found_changed_and_deleted() {
    JsonNode made =
        call(
            "agent_zoo_create_brain_entry",
            "{'agentId':'ada','title':'Style','content':'Write short Sätze.','tags':['prose']}");
    assertThat(McpTeam.fields(made))
        .containsExactly("id", "title", "content", "tags", "version", "createdAt", "updatedAt");
    String id = made.path("id").asText();

    assertThat(entries("{'agentId':'ada','query':'SÄTZE'}")).hasSize(1);
    assertThat(entries("{'agentId':'ada','query':'style'}")).as("by its title").hasSize(1);
    assertThat(entries("{'agentId':'ada','tags':['Prose']}")).hasSize(1);
    assertThat(entries("{'agentId':'ada','tags':['verse']}")).isEmpty();
    JsonNode changed =
        call(
            "agent_zoo_update_brain_entry",
            "{'agentId':'ada','entryId':'%s','content':'Write long ones.'}".formatted(id));
    assertThat(changed.path("title").asText()).isEqualTo("Style");
    assertThat(changed.path("version").asLong()).isEqualTo(2);
    assertThat(entries("{'agentId':'ada','query':'sätze'}")).isEmpty();
    assertThat(entries("{'agentId':'ada'}").get(0)).isEqualTo(changed);

    call("agent_zoo_delete_brain_entry", "{'agentId':'ada','entryId':'%s'}".formatted(id));
    assertThat(entries("{'agentId':'ada'}")).isEmpty();
  }

  @Test
  void a_brain_entry_belongs_to_one_agent() {
    String id =
        call("agent_zoo_create_brain_entry", "{'agentId':'ada','title':'A','content':'heron'}")
            .path("id")
            .asText();

    assertThat(entries("{'agentId':'ben','query':'heron'}")).isEmpty();
    String bens = "{'agentId':'ben','entryId':'%s','content':'x'}".formatted(id);
    assertThat(failure("agent_zoo_update_brain_entry", bens)).isEqualTo("NOT_FOUND");
    assertThat(failure("agent_zoo_delete_brain_entry", bens)).isEqualTo("NOT_FOUND");
    assertThat(entries("{'agentId':'ada'}").get(0).path("content").asText()).isEqualTo("heron");
    assertThat(
            failure("agent_zoo_create_brain_entry", "{'agentId':'ada','title':'A','content':'x'}"))
        .isEqualTo("NAME_TAKEN");
    call("agent_zoo_create_brain_entry", "{'agentId':'ben','title':'A','content':'x'}");
  }

  @Test
  @Requirement({"S2-28", "S2-29", "S2-41"})
  void mistakes_are_returned_as_error_results() {
    for (String tool : TOOLS) {
      assertThat(failure(tool, "{'agentId':'xyz','entryId':'e','title':'t','content':'c'}"))
          .isEqualTo("AGENT_NOT_FOUND");
      assertThat(failure(tool, "{'entryId':'e','title':'t','content':'c'}"))
          .isEqualTo("INVALID_ARGUMENTS");
    }
    assertThat(
            failure("agent_zoo_create_brain_entry", "{'agentId':'ada','title':' ','content':'c'}"))
        .isEqualTo("INVALID_ARGUMENTS");
    assertThat(
            failure(
                "agent_zoo_create_brain_entry",
                "{'agentId':'ada','title':'t','content':'%s'}".formatted("x".repeat(20_001))))
        .isEqualTo("TOO_LARGE");
    team.daemon.delete("/api/agents/ben");
    assertThat(failure("agent_zoo_query_brain", "{'agentId':'ben'}")).isEqualTo("AGENT_NOT_FOUND");
  }

  private JsonNode entries(String arguments) {
    return call("agent_zoo_query_brain", arguments).path("entries");
  }

  private JsonNode card(String tool) {
    return Objects.requireNonNull(cards.get(tool));
  }

  private JsonNode call(String tool, String arguments) {
    JsonNode result = result(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as("%s", result).isFalse();
    JsonSchema.of(card(tool).path("outputSchema")).require(result.path("structuredContent"));
    return result.path("structuredContent");
  }

  private String failure(String tool, String arguments) {
    JsonNode result = result(tool, arguments);
    assertThat(result.path("isError").asBoolean()).as("%s", result).isTrue();
    JsonSchema.of(card(tool).path("outputSchema")).require(result.path("structuredContent"));
    return result.path("structuredContent").path("code").asText();
  }

  private JsonNode result(String tool, String arguments) {
    return rpc(
        "tools/call",
        "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments.replace('\'', '"')));
  }

  private JsonNode rpc(String method, String parameters) {
    return visitor.post("/mcp", McpTeam.request(method, parameters)).body().path("result");
  }
}
