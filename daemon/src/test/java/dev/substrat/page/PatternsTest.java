package dev.substrat.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.daemon.TestDaemon;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// New agents that begin with something that is there already.
@OnEveryDatabase
final class PatternsTest {
  private static final String ADA =
      """
      {"name":"ada","systemPrompt":"You tie knots.","contextRefs":["docs/knots.md"],
       "toolsets":["workspace","team"],"provider":{"name":"external"}}
      """;

  private final TestDatabase place;
  private final TestDaemon daemon;
  private final Visitor visitor;

  PatternsTest(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    this.visitor = new Visitor(daemon);
    assertThat(daemon.post("/api/agents", ADA).status()).isEqualTo(201);
  }

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  /// As it is, but for its name.
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
  void an_agent_begins_like_another_also_in_what_the_form_has_no_field_for() {
    assertThat(visitor.page("/agents/ada")).contains("/agents/new?like=ada", "/export");
    JsonNode eve = created(visitor.page("/agents/new?like=ada"), "eve");

    assertThat(eve.path("systemPrompt").asText()).isEqualTo("You tie knots.");
    assertThat(eve.path("contextRefs").path(0).asText()).isEqualTo("docs/knots.md");
    assertThat(eve.path("toolsets").toString()).isEqualTo("[\"workspace\",\"team\"]");
  }

  @Test
  void an_agent_is_kept_as_a_template_and_others_begin_with_it() {
    assertThat(visitor.submit("/agents/ada/template").header("Location"))
        .isEqualTo("/agents/ada?said=kept");
    assertThat(visitor.page("/agents/new")).contains("/agents/new?template=ada");

    JsonNode eve = created(visitor.page("/agents/new?template=ada"), "eve");

    assertThat(eve.path("systemPrompt").asText()).isEqualTo("You tie knots.");
    assertThat(visitor.look("/agents/new?template=nobody").status()).isEqualTo(404);
  }

  @Test
  void what_was_exported_is_pasted_and_what_is_none_is_told_so() {
    String exported = daemon.get("/api/agents/ada/export").body().toString();
    String page = visitor.submit("/agents/import", "text", exported).body().asText();
    JsonNode eve = created(page, "eve");

    assertThat(eve.path("contextRefs").path(0).asText()).isEqualTo("docs/knots.md");
    for (String none : new String[] {"just words", "- a list", "name: ada\nnonsense: 1"}) {
      assertThat(visitor.submit("/agents/import", "text", none).status()).as(none).isEqualTo(422);
    }
  }
}
