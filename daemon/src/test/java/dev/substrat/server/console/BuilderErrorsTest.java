package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Validation errors of the agent builder.
final class BuilderErrorsTest {
  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private final ConsoleClient visitor = new ConsoleClient(daemon);

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  @Test
  void an_error_within_a_field_names_its_location() {
    assertThat(wrong("tools", "tools", "- nome: x"))
        .contains("tool 1, executionType: is missing", "tool 1, name: is missing")
        .contains("tool 1, nome: is not a known key");
    assertThat(wrong("settings", "settings", "temperatur: 1"))
        .startsWith("temperatur: is not a known key");
    assertThat(wrong("servers", "servers", "- name: a\n  url: nonsense"))
        .startsWith("server 1, url: is not a URL");
    assertThat(wrong("limits.maxDepth", "limits.maxDepth", "0")).startsWith("must");
  }

  @Test
  void all_errors_are_reported_at_once() {
    for (String tool :
        List.of(
            "- nome: x",
            "- name: x",
            "- {",
            "- name: check_inbox\n  description: x\n  executionType: space")) {
      String[] both = {"tools", tool, "settings", "playbook: [{dew: []}]"};
      assertThat(wrong("tools", both)).as(tool).isNotEmpty();
      assertThat(wrong("settings", both)).as(tool).contains("dew");
    }
    String[] limit = {"limits.maxDepth", "deep", "tools", "- nome: x", "settings", "playbook: x"};
    for (String field : List.of("limits.maxDepth", "tools", "settings")) {
      assertThat(wrong(field, limit)).as(field).isNotEmpty();
    }
    // Tools of a playbook cannot be checked while the tools are invalid.
    assertThat(
            visitor
                .submit(
                    "/agents/new",
                    form(
                        "tools",
                        "- nome: x",
                        "settings",
                        "playbook: [{do: [{call: x, with: {}}]}]"))
                .body()
                .asText())
        .contains("id=\"tools-wrong\"")
        .doesNotContain("id=\"settings-wrong\"");
  }

  @Test
  void a_duplicate_skill_name_is_reported_at_the_second_skill() {
    String words =
        wrong(
            "skill.b.name",
            "skill",
            "a",
            "skill.a.name",
            "Knots",
            "skill",
            "b",
            "skill.b.name",
            "Knots");
    assertThat(words).startsWith("is a duplicate");
  }

  @Test
  void an_unknown_parent_is_reported_at_its_field() {
    assertThat(wrong("parent", "parent", "nobody"))
        .startsWith("Agent \"nobody\" not found.")
        .doesNotContain("/api/");
  }

  @Test
  void an_empty_new_skill_is_ignored() {
    Answer made = visitor.submit("/agents/new", form("skill", "a", "skill.a.on", "on"));

    assertThat(made.header("Location")).isEqualTo("/agents/eve?said=created");
    assertThat(daemon.get("/api/agents/eve/config").body().has("skills")).isFalse();
  }

  @Test
  void an_existing_skill_is_not_removed_by_emptying_its_name() {
    daemon.post("/api/agents", "{\"name\":\"ada\",\"skills\":[{\"name\":\"Knots\"}]}");
    String[] shown = BuilderForm.asShown(visitor.page("/agents/ada/edit"));

    Answer refused =
        visitor.submit("/agents/ada/edit", BuilderForm.with(shown, "skill.s0.name", ""));

    assertThat(refused.body().asText()).contains("id=\"skill.s0.name-wrong\">Enter a name<");
    assertThat(daemon.get("/api/agents/ada/config").body().path("skills")).hasSize(1);
  }

  @Test
  void screen_readers_get_error_and_help_of_a_field() {
    String[] wrong =
        form("settings", "x", "limits.maxDepth", "deep", "tools", "x: y", "skill", "a");
    String page = visitor.submit("/agents/new", wrong).body().asText();
    assertThat(page)
        .contains("aria-describedby=\"settings-wrong settings-help\"")
        .contains("aria-describedby=\"limits.maxDepth-wrong limits.maxDepth-help\"")
        .contains("aria-describedby=\"tools-wrong tools-help\"")
        .contains("aria-describedby=\"provider-help\"", "aria-describedby=\"name-help\"");
    String unknown = visitor.submit("/agents/new", "name", "eve", "provider", "x").body().asText();
    assertThat(unknown).contains("aria-describedby=\"provider-wrong provider-help\"");
  }

  @Test
  void a_preview_lists_invalid_fields_and_needs_a_name() {
    assertThat(preview(form("skill", "a", "skill.a.on", "on")))
        .doesNotContain("Not in the preview");
    assertThat(preview(form("skill", "a", "skill.a.text", "words", "tools", "- {")))
        .contains("Not in the preview", "Skill 1: Enter a name", "Tools: line 1 is invalid");
    assertThat(preview("systemPrompt", "You are kind.", "provider", "scripted"))
        .contains("enter a name first")
        .doesNotContain("id=\"compiled\"", "agentId=");
  }

  @Test
  void limits_have_labels_and_providers_show_what_they_need() {
    String page = visitor.page("/agents/new");

    assertThat(page).contains(">Messages per turn</label>", "<code>maxMessagesPerTurn</code>");
    Pattern.compile("<label for=\"limits\\.(\\w+)\">([^<]*)<")
        .matcher(page)
        .results()
        .forEach(label -> assertThat(label.group(2)).isNotEqualTo(label.group(1)));
    String ready = page.split("<optgroup label=\"Ready\">")[1].split("</optgroup>")[0];
    assertThat(ready).contains("value=\"scripted\"", "value=\"external\"");
  }

  private String preview(String... fields) {
    return visitor.submit("/agents/preview", fields).body().asText();
  }

  private String wrong(String field, String... fields) {
    Answer refused = visitor.submit("/agents/new", form(fields));
    String page = refused.body().asText();
    var found = Pattern.compile("id=\"" + field + "-wrong\">([^<]*)<").matcher(page);
    var problem = Pattern.compile("id=\"problem\".*?</div>", Pattern.DOTALL).matcher(page);
    assertThat(found.find()).as("%s", problem.find() ? problem.group() : page).isTrue();
    return found.group(1);
  }

  /// Form of an agent named eve.
  private static String[] form(String... fields) {
    var all = new ArrayList<>(List.of(fields));
    all.addAll(List.of("name", "eve", "provider", "scripted", "role", "worker"));
    return all.toArray(String[]::new);
  }
}
