package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// New agents from templates, clones and imports.
@OnEveryDatabase
final class TemplateChoicesTest {
  private static final String ADA =
      """
      {"name":"ada","systemPrompt":"You tie knots.","contextRefs":["docs/knots.md"],
       "toolsets":["workspace","team"],"provider":{"name":"external"}}
      """;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final ConsoleClient visitor;

  TemplateChoicesTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new ConsoleClient(daemon);
    assertThat(daemon.post("/api/agents", ADA).status()).isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  /// Submits the form unchanged, except for the name.
  private JsonNode created(String page, String name) {
    String[] fields = BuilderForm.asShown(page);
    assertThat(
            visitor
                .submit("/agents/new", BuilderForm.with(fields, "name", name))
                .header("Location"))
        .isEqualTo("/agents/" + name + "?said=created");
    return daemon.get("/api/agents/" + name + "/config").body();
  }

  @Test
  @Requirement("S2-3")
  void a_clone_copies_keys_without_a_form_field() {
    assertThat(visitor.page("/agents/ada")).contains("/agents/new?like=ada", "/export");
    JsonNode eve = created(visitor.page("/agents/new?like=ada"), "eve");

    assertThat(eve.path("systemPrompt").asText()).isEqualTo("You tie knots.");
    assertThat(eve.path("contextRefs").path(0).asText()).isEqualTo("docs/knots.md");
    assertThat(eve.path("toolsets").toString()).isEqualTo("[\"workspace\",\"team\"]");
  }

  @Test
  void an_agent_is_saved_as_a_template_and_reused() {
    assertThat(visitor.submit("/agents/ada/template").header("Location"))
        .isEqualTo("/agents/ada?said=saved_as_template");
    assertThat(visitor.page("/agents/new")).contains("/agents/new?template=ada");

    JsonNode eve = created(visitor.page("/agents/new?template=ada"), "eve");

    assertThat(eve.path("systemPrompt").asText()).isEqualTo("You tie knots.");
    assertThat(visitor.look("/agents/new?template=nobody").status()).isEqualTo(404);
  }

  @Test
  void an_export_can_be_imported_and_other_text_is_rejected() {
    String exported = daemon.get("/api/agents/ada/export").body().toString();
    String page = visitor.submit("/agents/new", "pasted", exported).body().asText();
    JsonNode eve = created(page, "eve");

    assertThat(eve.path("contextRefs").path(0).asText()).isEqualTo("docs/knots.md");
    for (String none : new String[] {"just words", "- a list", "name: ada\nnonsense: 1"}) {
      Answer refused = visitor.submit("/agents/new", "pasted", none);
      assertThat(refused.status()).as(none).isEqualTo(422);
      assertThat(refused.body().asText())
          .as("the pasted text is kept, and the panel is open")
          .contains(">" + none + "</textarea>", "id=\"pasted-wrong\"")
          .containsPattern("id=\"begin\"[^>]* open");
    }
    assertThat(daemon.get("/api/agents").body().path("agents")).hasSize(2);
  }

  @Test
  void an_import_error_is_shown_once_with_its_location() {
    String config = "name: eve\nlimits: { budgetUsd: 0 }\n";
    String page = visitor.submit("/agents/new", "pasted", config).body().asText();

    assertThat(page).contains("limits, budgetUsd: must have a minimum value");
    assertThat(page.split("must have a minimum value", -1)).hasSize(2);
  }

  @Test
  @Requirement("S2-3")
  void a_skill_md_file_becomes_a_skill_of_a_new_agent() {
    String pasted =
        """
        ---
        name: pdf
        description: Fills in forms.
        ---

        # How

        Use the field names.
        """;
    JsonNode eve = created(visitor.submit("/agents/new", "pasted", pasted).body().asText(), "eve");

    assertThat(eve.at("/skills/0/name").asText()).isEqualTo("pdf");
    assertThat(eve.at("/skills/0/description").asText())
        .isEqualTo("Fills in forms.\n\n# How\n\nUse the field names.");
    String two = "---\nname: a\nsystemPrompt: b\n---\nname: c\n";
    assertThat(visitor.submit("/agents/new", "pasted", two).body().asText())
        .contains("a second document")
        .doesNotContain("Trailing token");
  }

  @Test
  void a_clone_names_its_original_also_after_a_rejected_save() {
    String page = visitor.page("/agents/new?like=ada");
    assertThat(page).contains("Clone of @ada");

    assertThat(visitor.submit("/agents/new", BuilderForm.asShown(page)).body().asText())
        .contains("Enter a name", "Clone of @ada");
  }
}
