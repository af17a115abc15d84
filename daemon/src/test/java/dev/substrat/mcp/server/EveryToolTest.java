package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.store.OnOneDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tool definitions are true: the output schema, and the annotations about effects.
@OnOneDatabase
final class EveryToolTest {

  private static final String LITERAL_DEFAULT =
      "(?is).*\\bdefaults?:?( to)? (true|false|null|[\\d.,]+|[\"'`][^\"'`]*[\"'`])\\W.*|.*\\(default\\).*";

  private final McpTeam team;
  private final Map<String, JsonNode> cards = new TreeMap<>();
  private final Map<String, String> known = new HashMap<>();

  EveryToolTest(TestDatabase kind) {
    this.team = new McpTeam(kind);
    team.create(
        "lars",
        """
        {"name":"lars","provider":{"name":"external"},"toolsets":["memory","goals"]}
        """);
    team.create(
        "cleo",
        """
        {"name":"cleo","provider":{"name":"external"},"toolsets":["channels"]}
        """);
    team.create(
        "rosa",
        """
        {"name":"rosa","provider":{"name":"external"},"toolsets":["workspace"]}
        """);
    team.create(
        "otto",
        """
        {"name":"otto","provider":{"name":"external"},"toolsets":["control"]}
        """);
    for (String agent : List.of("mira", "lars", "cleo", "rosa", "otto")) {
      team.rpc(agent, "tools/list", McpTeam.WITH_OUTPUT)
          .path("tools")
          .forEach(card -> cards.putIfAbsent(card.path("name").asText(), card));
    }
    team.daemon.post(
        "/api/spaces",
        """
        {"id":"deck","name":"Deck","kind":"public","wakePolicy":"none","members":["cleo","mira"]}
        """);
    known.put(
        "deck_message",
        team.daemon.post("/api/spaces/deck/messages", "{\"text\":\"all aboard\"}").text("id"));
  }

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  /// With the zoo's: they are shown to other clients.
  private Map<String, JsonNode> schemas() {
    var schemas = new TreeMap<String, JsonNode>();
    cards.forEach((tool, card) -> schemas.put(tool, card.path("inputSchema")));
    try (var visitor = new ZooTestClient(team.daemon, "")) {
      visitor
          .rpc("tools/list", "{}")
          .at("/result/tools")
          .forEach(card -> schemas.put(card.path("name").asText(), card.path("inputSchema")));
    }
    return schemas;
  }

  /// Every parameter at every depth, by its path.
  private static void parameters(String path, JsonNode schema, Map<String, JsonNode> found) {
    schema
        .path("properties")
        .forEachEntry((name, property) -> {
          found.put(path + "." + name, property);
          parameters(path + "." + name, property, found);
        });
    for (String inside : List.of("items", "additionalProperties")) {
      if (schema.path(inside).isObject()) {
        parameters(path + "[]", schema.path(inside), found);
      }
    }
    for (String choice : List.of("anyOf", "oneOf", "allOf")) {
      schema.path(choice).forEach(one -> parameters(path, one, found));
    }
  }

  private Map<String, JsonNode> parameters() {
    var found = new TreeMap<String, JsonNode>();
    schemas().forEach((tool, schema) -> parameters(tool, schema, found));
    return found;
  }

  @Test
  @Requirement("C21")
  void every_parameter_has_a_description() {
    var bare = new TreeMap<>(parameters());
    bare.values().removeIf(parameter -> !parameter.path("description").asText().isBlank());
    assertThat(bare.keySet()).isEmpty();
  }

  @Test
  @Requirement("C21")
  void defaults_named_in_descriptions_are_in_the_schema() {
    var silent = new TreeMap<>(parameters());
    silent
        .values()
        .removeIf(parameter ->
            parameter.has("default")
                || !parameter.path("description").asText().matches(LITERAL_DEFAULT));
    assertThat(silent.keySet()).isEmpty();
  }

  @Test
  @Requirement("C21")
  void closed_sets_are_enums() {
    var closed = new TreeMap<String, String>();
    parameters()
        .forEach((path, parameter) -> {
          if (parameter.has("enum")) {
            closed.put(path, parameter.path("enum").toString());
          }
        });
    assertThat(closed)
        .isEqualTo(
            Map.of(
                "agent_zoo_inject.format",
                "[\"compiled\",\"structured\"]",
                "check_inbox.kind",
                "[\"message\",\"reply\",\"broadcast\",\"space_message\",\"tool_result\",\"reminder\","
                    + "\"plan\",\"service\",\"notice\",\"start\",\"response\"]",
                "set_goals.goals[].priority",
                "[\"high\",\"medium\",\"low\"]",
                "set_goals.goals[].status",
                "[\"active\",\"completed\",\"abandoned\"]",
                "spawn_agent.role",
                "[\"worker\",\"reviewer\"]"));
  }

  @Test
  @Requirement({"C21", "S0-17", "S0-23"})
  void defaults_and_closed_sets_are_in_the_schemas() {
    JsonNode send =
        Objects.requireNonNull(cards.get("send_message")).at("/inputSchema/properties/sync");
    assertThat(send.path("type").asText()).isEqualTo("boolean");
    assertThat(send.path("default").asBoolean(false)).isTrue();
    JsonNode spawn = Objects.requireNonNull(cards.get("spawn_agent")).at("/inputSchema/properties");
    assertThat(spawn.at("/role/default").asText()).isEqualTo("worker");
    assertThat(spawn.at("/role/enum").toString()).isEqualTo("[\"worker\",\"reviewer\"]");
    assertThat(spawn.at("/workspace_subdir/type").toString()).isEqualTo("[\"string\",\"null\"]");
    assertThat(
            Objects.requireNonNull(cards.get("check_inbox"))
                .at("/inputSchema/properties/kind/enum")
                .toString())
        .contains("\"reply\"", "\"response\"");
  }

  @Test
  @Requirement({"C21", "S0-23"})
  void an_explicit_null_for_the_sub_directory_is_the_default() {
    JsonNode spawned =
        team.call(
            "mira",
            "spawn_agent",
            """
            {"name":"kid","instructions":"count","role":"worker","workspace_subdir":null}
            """);
    assertThat(spawned.path("status").asText()).isEqualTo("created");
    assertThat(team.call("mira", "check_inbox", "{\"kind\":\"gossip\"}").path("code").asText())
        .isEqualTo("INVALID_ARGUMENTS");
  }

  @Test
  void every_tool_has_a_title_an_output_schema_and_annotations() {
    assertThat(cards.keySet())
        .containsExactlyInAnyOrderElementsOf(
            ExampleCall.ALL.stream().map(ExampleCall::tool).toList());
    assertThat(cards.values())
        .allSatisfy(card -> {
          assertThat(card.path("title").asText()).isNotEmpty().doesNotContain("_");
          assertThat(card.at("/outputSchema/type").asText()).isEqualTo("object");
          assertThat(McpTeam.fields(card.path("annotations")))
              .containsExactly(
                  "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");
        });
    assertThat(hinted("readOnlyHint"))
        .containsExactly(
            "do_nothing",
            "get_memories",
            "get_plans",
            "inspect_agent",
            "list_children",
            "list_files",
            "list_spaces",
            "list_team",
            "message_status",
            "read_file",
            "search_files",
            "search_memory");
    assertThat(hinted("destructiveHint"))
        .containsExactly(
            "cancel_reminder",
            "delete_goals",
            "delete_memories",
            "delete_plans",
            "edit_file",
            "run_command",
            "set_agent_metadata",
            "set_goals",
            "set_memories",
            "set_plans",
            "terminate_agent",
            "unsubscribe",
            "update_memory",
            "write_file");
    assertThat(hinted("idempotentHint"))
        .containsExactly(
            "cancel_reminder",
            "delete_goals",
            "delete_memories",
            "delete_plans",
            "do_nothing",
            "enter_space",
            "gate",
            "get_memories",
            "get_plans",
            "inspect_agent",
            "leave_space",
            "list_children",
            "list_files",
            "list_spaces",
            "list_team",
            "message_status",
            "react_to_message",
            "read_file",
            "read_messages",
            "search_files",
            "search_memory",
            "set_agent_metadata",
            "set_memories",
            "subscribe",
            "terminate_agent",
            "ungate",
            "unsubscribe",
            "update_memory");
    assertThat(hinted("openWorldHint"))
        .as("no external system is reached, but files are")
        .containsExactly("edit_file", "run_command", "write_file");
  }

  @Test
  @Requirement({"S0-16", "S1-13", "C17"})
  void every_result_matches_its_output_schema_and_its_text() {
    for (ExampleCall use : ExampleCall.here()) {
      JsonNode result = result(use);
      JsonNode content = result.path("structuredContent");
      assertThat(result.path("isError").asBoolean()).as("%s: %s", use, result).isFalse();
      assertThat(result.at("/content/0/text").asText()).isEqualTo(Json.text(content));
      JsonNode schema = card(use).path("outputSchema");
      JsonSchema.of(schema).require(content);
      assertThat(McpTeam.fields(schema.path("properties")))
          .as("%s declares all its keys", use.tool())
          .containsAll(McpTeam.fields(content));
    }
  }

  /// The TypeScript SDK checks failures against the same schema, and shows its own complaint
  /// instead of our reason if they do not fit.
  @Test
  @Requirement("C12")
  void failures_match_the_output_schema_too() {
    for (ExampleCall use : ExampleCall.here()) {
      JsonNode result = result(new ExampleCall(use.agent(), use.tool(), "{'nonsense':1}"));
      JsonNode content = result.path("structuredContent");
      assertThat(result.path("isError").asBoolean()).as("%s: %s", use, result).isTrue();
      assertThat(result.at("/content/0/text").asText()).isEqualTo(Json.text(content));
      assertThat(content.path("code").asText()).isEqualTo("INVALID_ARGUMENTS");
      JsonSchema.of(card(use).path("outputSchema")).require(content);
    }
  }

  /// Successful calls, failing calls, and calls of unknown tools.
  @Test
  @Requirement({"S4-18", "S4-20"})
  void every_call_and_every_result_are_recorded_once() {
    var calls = new TreeMap<String, Integer>();
    for (ExampleCall use : ExampleCall.here()) {
      result(use);
      result(new ExampleCall(use.agent(), use.tool(), "{'nonsense':1}"));
      result(new ExampleCall(use.agent(), "no_such_tool", "{}"));
      calls.merge(use.agent(), 3, Integer::sum);
    }
    calls.forEach((agent, made) -> {
      List<JsonNode> record = record(agent);
      assertThat(record).as(agent).hasSize(2 * made);
      record.stream()
          .collect(Collectors.groupingBy(line -> line.path("toolCallId").asText()))
          .forEach((id, lines) -> {
            assertThat(id).isNotEmpty();
            assertThat(lines)
                .extracting(line -> line.path("type").asText())
                .as("%s of %s", lines.getFirst().path("toolName"), agent)
                .containsExactly("tool_call_message", "tool_return_message");
          });
    });
  }

  /// All that the record of an agent's open run has about tools.
  private List<JsonNode> record(String agent) {
    var runs = team.daemon.get("/api/runs?agent=" + agent).body().path("runs");
    assertThat(runs).hasSize(1);
    return team.daemon
        .get("/api/runs/%s/messages".formatted(runs.get(0).path("id").asText()))
        .body()
        .path("messages")
        .valueStream()
        .filter(line -> line.path("type").asText().startsWith("tool_"))
        .toList();
  }

  @Test
  void output_schemas_are_listed_only_on_request() {
    assertThat(cards).allSatisfy((_, card) -> assertThat(card.has("outputSchema")).isTrue());
    assertThat(team.rpc("mira", "tools/list", "{}").path("tools"))
        .isNotEmpty()
        .allSatisfy(card -> assertThat(card.has("outputSchema")).isFalse());
  }

  @Test
  void an_output_schema_rejects_other_results() {
    JsonSchema form =
        JsonSchema.of(Objects.requireNonNull(cards.get("send_message")).path("outputSchema"));

    assertThat(fits(form, "{'status':'sent','message_id':'m','waiting_for_reply':true}")).isTrue();
    assertThat(fits(form, "{'status':'sent','message_id':'m'}")).isFalse();
    assertThat(fits(form, "{'status':'sent','message_id':'m','waiting_for_reply':'yes'}"))
        .isFalse();
    assertThat(fits(form, "{'error':false,'code':'X','message':'x'}")).isFalse();
  }

  private static boolean fits(JsonSchema form, String json) {
    try {
      form.require(Json.own(json.replace('\'', '"')));
      return true;
    } catch (RuntimeException e) {
      return false;
    }
  }

  @Test
  void read_only_calls_change_nothing_and_repeated_idempotent_calls_change_nothing_more()
      throws Exception {
    for (ExampleCall use : ExampleCall.here()) {
      var before = everything();
      result(use);
      var after = everything();
      if (hint(use, "readOnlyHint")) {
        assertThat(after).as("%s is read-only", use).isEqualTo(before);
      } else {
        assertThat(after).as("%s does something", use).isNotEqualTo(before);
      }
      if (hint(use, "idempotentHint")) {
        List<String> told = told();
        result(use);
        assertThat(everything()).as("%s again", use).isEqualTo(after);
        assertThat(told()).as("%s again: no new event", use).isEqualTo(told);
      }
    }
  }

  /// In the database beside the record, and in the workspaces.
  private Map<String, List<String>> everything() throws Exception {
    var all = new TreeMap<>(DatabaseContents.besideTheRecord(team.place()));
    try (var files = Files.walk(team.daemon.data().resolve("workspaces"))) {
      all.put("files", files.filter(Files::isRegularFile).map(EveryToolTest::text).toList());
    } catch (NoSuchFileException e) {
      all.put("files", List.of());
    }
    return all;
  }

  private static String text(Path file) {
    try {
      return file + ": " + Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Events other than those of tool calls.
  private List<String> told() throws Exception {
    return DatabaseContents.told(team.place()).stream()
        .filter(kind -> !kind.equals("tool_called"))
        .toList();
  }

  private List<String> hinted(String hint) {
    return cards.entrySet().stream()
        .filter(card -> card.getValue().path("annotations").path(hint).asBoolean())
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean hint(ExampleCall use, String hint) {
    return card(use).path("annotations").path(hint).asBoolean();
  }

  private JsonNode card(ExampleCall use) {
    return Objects.requireNonNull(cards.get(use.tool()), use.tool());
  }

  private JsonNode result(ExampleCall use) {
    String arguments = use.arguments().replace('\'', '"');
    for (var one : known.entrySet()) {
      arguments = arguments.replace("{" + one.getKey() + "}", one.getValue());
    }
    JsonNode result =
        team.rpc(
            use.agent(),
            "tools/call",
            "{\"name\":\"%s\",\"arguments\":%s}".formatted(use.tool(), arguments));
    JsonNode content = result.path("structuredContent");
    for (String key : List.of("message_id", "reminder_id")) {
      content.path(key).asOptional().ifPresent(id -> known.put(key, id.asText()));
    }
    content.at("/goals/0/id").asOptional().ifPresent(id -> known.put("goal_id", id.asText()));
    content.at("/plans/0/id").asOptional().ifPresent(id -> known.put("plan_id", id.asText()));
    return result;
  }
}
