package dev.substrat.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Automatic categories of skills.
final class CategoriesTest {
  private static final String[] EVE = {"name", "eve", "provider", "scripted", "role", "worker"};

  private static final String[] KNOTS = {
    "skill", "a", "skill.a.name", "Knots", "skill.a.category", "Ropes", "skill.a.on", "on"
  };

  private static final String[] SONGS = {
    "skill", "b", "skill.b.name", "Songs", "skill.b.category", "Music", "skill.b.on", "on"
  };

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);
  private final ConsoleClient visitor = new ConsoleClient(daemon);

  @AfterEach
  void close() throws IOException {
    visitor.close();
    daemon.close();
    place.close();
  }

  private static String[] all(String[]... parts) {
    return Stream.of(parts).flatMap(Stream::of).toArray(String[]::new);
  }

  private static String[] row(String key, String name, String isMade) {
    String field = "category." + key + ".";
    return new String[] {
      "category", key, field + "name", name, field + "colour", "sky", field + "made", isMade
    };
  }

  private String saved(String[] form) {
    Answer made = visitor.submit("/agents/new", form);
    assertThat(made.status()).as("%s", made.body().asText()).isEqualTo(303);
    return daemon.get("/api/agents/eve/categories").body().path("categories").toString();
  }

  @Test
  void a_category_named_by_a_skill_gets_an_unused_colour() {
    assertThat(saved(all(EVE, KNOTS, SONGS, row("x", "Tides", "false"))))
        .isEqualTo(
            "[{\"name\":\"Tides\",\"colour\":\"sky\"},{\"name\":\"Ropes\",\"colour\":\"moss\"},"
                + "{\"name\":\"Music\",\"colour\":\"amber\"}]");
  }

  @Test
  void an_automatic_category_is_removed_without_skills() {
    assertThat(saved(all(EVE, KNOTS, row("x", "Rop", "true"), row("y", "Ropes", "true"))))
        .isEqualTo("[{\"name\":\"Ropes\",\"colour\":\"sky\"}]");
  }

  @Test
  void imports_and_rejected_forms_show_automatic_categories() {
    String skill = "---\nname: pdf\nmetadata:\n  substrat-category: Papers\n---\n\nUse the names.";
    assertThat(visitor.submit("/agents/new", "pasted", skill).body().asText())
        .contains("name=\"category.made0.name\" value=\"Papers\"", "name=\"category.made0.made\"");

    Answer refused =
        visitor.submit("/agents/new", all(KNOTS, new String[] {"provider", "scripted"}));
    assertThat(refused.status()).isEqualTo(422);
    String[] shown = BuilderForm.asShown(refused.body().asText());
    assertThat(saved(BuilderForm.with(shown, "name", "eve")))
        .isEqualTo("[{\"name\":\"Ropes\",\"colour\":\"sky\"}]");
  }
}
