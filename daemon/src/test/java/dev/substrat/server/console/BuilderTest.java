package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Creating and editing agents in the builder.
@OnEveryDatabase
final class BuilderTest {
  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  BuilderTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S2-2", "S2-3", "S2-5", "S2-27", "N12"})
  void the_next_injection_returns_the_saved_configuration() {
    Answer made =
        visitor.submit(
            "/agents/new",
            filled(
                "name",
                "Code Wizard",
                "systemPrompt",
                "Be concise.",
                "skill",
                "a",
                "skill",
                "b",
                "skill.a.name",
                "Types",
                "skill.a.text",
                "Prefer strict types.",
                "skill.a.category",
                "Languages",
                "skill.a.on",
                "on",
                "skill.b.name",
                "Haste",
                "skill.b.text",
                "Hurry.",
                "category",
                "x",
                "category.x.name",
                "Languages",
                "category.x.colour",
                "sky"));
    assertThat(made.header("Location")).isEqualTo("/agents/code-wizard?said=created");
    assertThat(injected())
        .contains("Be concise.", "### Types\nPrefer strict")
        .doesNotContain("Haste");

    Answer saved =
        visitor.submit(
            "/agents/code-wizard/edit",
            filled(
                "base",
                base("code-wizard"),
                "name",
                "Code Wizard",
                "handle",
                "code-wizard",
                "systemPrompt",
                "Be kind.",
                "skill",
                "b",
                "skill",
                "a",
                "skill.a.name",
                "Types",
                "skill.a.text",
                "Prefer strict types.",
                "skill.a.category",
                "Languages",
                "skill.a.on",
                "on",
                "skill.b.name",
                "Haste",
                "skill.b.text",
                "Hurry.",
                "skill.b.on",
                "on",
                "category",
                "x",
                "category.x.name",
                "Languages",
                "category.x.colour",
                "rose"));
    assertThat(saved.header("Location")).isEqualTo("/agents/code-wizard?said=saved");
    assertThat(injected())
        .contains("Be kind.", "### Haste\nHurry.\n\n### Types\nPrefer strict types.");
    assertThat(daemon.get("/api/agents/code-wizard/categories").body().toString())
        .isEqualTo("{\"categories\":[{\"name\":\"Languages\",\"colour\":\"rose\"}]}");
  }

  @Test
  void a_preview_equals_the_saved_result_and_stores_nothing() {
    String[] form =
        filled(
            "name",
            "Ada",
            "systemPrompt",
            "Mind the engine.",
            "skill",
            "a",
            "skill.a.name",
            "Knots",
            "skill.a.text",
            "Tie bowlines.",
            "skill.a.on",
            "on");
    String preview = visitor.submit("/agents/preview", form).body().asText();

    assertThat(preview)
        .contains("You are now Ada. Use agentId=ada", "### Knots\nTie bowlines.", "## Your skills");
    assertThat(daemon.get("/api/agents").body().path("agents")).isEmpty();
    assertThat(
            visitor
                .submit("/agents/preview", filled("name", "Ada", "tools", "- {"))
                .body()
                .asText())
        .as("half-typed")
        .contains("You are now Ada", "because invalid");
  }

  @Test
  void errors_are_shown_at_their_fields_and_input_is_kept() {
    Answer refused =
        visitor.submit(
            "/agents/new",
            filled(
                "name",
                "",
                "handle",
                "Not A Handle",
                "description",
                "kept \"as\" typed",
                "tools",
                "- name: x\n  what: [",
                "limits.maxChildren",
                "many",
                "skill",
                "a",
                "skill.a.text",
                "kept too"));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body().asText())
        .contains("id=\"name-wrong\"", "Enter a name", "id=\"tools-wrong\"", "line ")
        .contains("id=\"limits.maxChildren-wrong\"", "id=\"skill.a.name-wrong\"")
        .contains("kept &#34;as&#34; typed", "kept too", "many", "Not A Handle", "- name: x");
  }

  @Test
  void engine_errors_are_shown_at_their_fields() {
    daemon.createAgent("ada", "[]");

    assertThat(wrong("handle", "name", "ben", "handle", "ada")).contains("taken");
    assertThat(wrong("handle", "name", "ben", "handle", "Not A Handle")).contains("lower-case");
    assertThat(wrong("provider", "name", "ben", "provider", "oracle")).contains("scripted");
    assertThat(wrong("settings", "name", "ben", "settings", "temperatur: 1")).contains("known key");
    assertThat(wrong("limits.maxChildren", "name", "ben", "limits.maxChildren", "-1")).isNotEmpty();
    assertThat(wrong("tools", "name", "ben", "tools", "- name: x")).contains("missing");
    assertThat(wrong("tools", "name", "ben", "tools", "x: y")).contains("list");
    assertThat(wrong("name", "name", "operator")).isNotEmpty();
  }

  private String wrong(String field, String... fields) {
    Answer refused = visitor.submit("/agents/new", filled(fields));
    assertThat(refused.status()).isEqualTo(422);
    String page = refused.body().asText();
    var found = Pattern.compile("id=\"" + field + "-wrong\">([^<]*)<").matcher(page);
    var problem = Pattern.compile("class=\"problem\".*?</div>", Pattern.DOTALL).matcher(page);
    assertThat(found.find()).as("%s", problem.find() ? problem.group() : page).isTrue();
    return found.group(1);
  }

  @Test
  void saving_over_a_newer_configuration_is_rejected() {
    daemon.createAgent("ada", "[]");
    String base = base("ada");
    assertThat(
            visitor
                .submit("/agents/ada/edit", filled("base", base, "name", "Ada", "handle", "ada"))
                .status())
        .isEqualTo(303);

    Answer late =
        visitor.submit("/agents/ada/edit", filled("base", base, "name", "Adele", "handle", "ada"));

    assertThat(late.status()).isEqualTo(422);
    assertThat(late.body().asText()).contains("This agent was changed", "value=\"Adele\"");
    assertThat(daemon.get("/api/agents/ada").text("name")).isEqualTo("Ada");
  }

  @Test
  void saving_without_changes_keeps_all_keys() {
    String config =
        """
        {"name":"ada","systemPrompt":"two\\nlines",
         "skills":[{"name":"Knots"},{"name":"Songs","enabled":false,"requires":["Knots"]}],
         "toolsets":["workspace","team","goals","spaces","memory","channels"],
         "contextRefs":["docs/harbor.md"],
         "limits":{"maxChildren":3},"middleware":["log"],"role":"reviewer",
         "provider":{"name":"scripted","playbook":[{"do":[{"say":"aye"}]}]}}\
        """;
    assertThat(daemon.post("/api/agents", config).status()).isEqualTo(201);
    JsonNode before = daemon.get("/api/agents/ada/config").body();

    Answer saved =
        visitor.submit("/agents/ada/edit", BuilderForm.asShown(visitor.page("/agents/ada/edit")));

    assertThat(saved.status()).as("%s", saved.body().asText()).isEqualTo(303);
    assertThat(daemon.get("/api/agents/ada/config").body()).isEqualTo(before);
    assertThat(daemon.get("/api/agents/ada/versions").body().path("versions")).hasSize(1);
  }

  @Test
  @Requirement("S2-3")
  void a_skill_that_is_renamed_is_required_under_its_new_name() {
    String config =
        """
        {"name":"ada","skills":[{"name":"Knots"},{"name":"Ropes","requires":["Knots"]},
          {"name":"Songs","requires":["Ropes","Knots"]}]}\
        """;
    assertThat(daemon.post("/api/agents", config).status()).isEqualTo(201);
    String[] fields = BuilderForm.asShown(visitor.page("/agents/ada/edit"));

    assertThat(
            visitor
                .submit("/agents/ada/edit", BuilderForm.with(fields, "skill.s0.name", "Bends"))
                .status())
        .isEqualTo(303);
    assertThat(daemon.get("/api/agents/ada/config").body().path("skills").toString())
        .isEqualTo(
            "[{\"name\":\"Bends\"},{\"name\":\"Ropes\",\"requires\":[\"Bends\"]},"
                + "{\"name\":\"Songs\",\"requires\":[\"Ropes\",\"Bends\"]}]");
    fields = BuilderForm.asShown(visitor.page("/agents/ada/edit"));
    Answer wrong =
        visitor.submit("/agents/ada/edit", BuilderForm.with(fields, "skill.s1.requires", "Nets"));
    assertThat(wrong.body().asText()).contains("id=\"skill.s1.requires-wrong\"");
  }

  /// Hash of the configuration at the start of editing.
  private String base(String handle) {
    return BuilderForm.attribute(
        visitor.page("/agents/" + handle + "/edit").split("name=\"base\"")[1], "value");
  }

  /// A complete form with these values.
  private static String[] filled(String... fields) {
    var all = new ArrayList<>(List.of(fields));
    if (!all.contains("provider")) {
      all.addAll(List.of("provider", "scripted"));
    }
    all.addAll(List.of("role", "worker", "toolsets", "team"));
    return all.toArray(String[]::new);
  }

  /// Compiled prompt of the wizard, over MCP.
  private String injected() {
    String token = daemon.post("/api/tokens", "{\"zoo\":true}").text("token");
    try (var chat = daemon.as(token)) {
      Answer answer =
          chat.post(
              "/mcp",
              """
              {"jsonrpc":"2.0","id":1,"method":"tools/call",
               "params":{"name":"agent_zoo_inject","arguments":{"agentId":"code-wizard"}}}\
              """,
              "Accept",
              "application/json, text/event-stream",
              "MCP-Protocol-Version",
              "2025-06-18");
      assertThat(answer.status()).as("%s", answer).isEqualTo(200);
      return answer.body().at("/result/structuredContent/prompt").asText();
    }
  }
}
