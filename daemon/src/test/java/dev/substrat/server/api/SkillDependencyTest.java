package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient.Answer;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Skills that require other skills.
final class SkillDependencyTest {
  private static final String SAILING =
      """
      [{"name": "Racing", "description": "Win.", "requires": ["Sailing"]},
       {"name": "Sailing", "description": "Steer.", "requires": ["Knots", "Wind"]},
       {"name": "Knots", "description": "Tie.", "enabled": %s},
       {"name": "Wind", "description": "Feel it."}]\
      """;

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement({"S2-32", "S2-10"})
  void a_skill_is_active_only_with_all_its_requirements() {
    create(SAILING.formatted("true"));
    assertThat(briefing())
        .as("in the order a person gave them")
        .containsSubsequence("### Racing", "### Sailing", "### Knots", "### Wind");

    daemon.client().send("PUT", "/api/agents/ada", "{\"name\":\"ada\",\"skills\":" + off() + "}");

    assertThat(briefing())
        .contains("### Wind")
        .doesNotContain("### Racing", "### Sailing", "### Knots");
  }

  @Test
  @Requirement("S2-32")
  void an_agent_shows_why_a_skill_is_inactive() {
    create(off());
    JsonNode skills = daemon.get("/api/agents/ada").body().path("skills");

    assertThat(skills.at("/0/inactiveBecause").asText())
        .isEqualTo("requires Sailing, which is inactive, too");
    assertThat(skills.at("/1/inactiveBecause").asText()).isEqualTo("requires Knots, which is off");
    assertThat(skills.path(2).has("inactiveBecause"))
        .as("a skill that is off has no further reason")
        .isFalse();
    assertThat(skills.path(3).has("inactiveBecause")).isFalse();
    String config = daemon.get("/api/agents/ada/config").body().toString();
    assertThat(config).contains("\"requires\":[\"Sailing\"]").doesNotContain("inactiveBecause");
  }

  @Test
  @Requirement("S2-32")
  void unknown_and_cyclic_requirements_are_rejected_with_their_pointer() {
    refused(
        "[{\"name\":\"a\"},{\"name\":\"b\",\"requires\":[\"a\",\"c\"]}]", "/skills/1/requires/1");
    refused("[{\"name\":\"a\",\"requires\":[\"a\"]}]", "/skills/0/requires has a cycle: a, a");
    refused(
        """
        [{"name":"top","requires":["a"]},{"name":"a","requires":["b"]},
         {"name":"b","requires":["c"]},{"name":"c","requires":["a"]}]\
        """,
        "/skills/0/requires has a cycle: a, b, c, a");
    refused("[{\"name\":\"a\"},{\"name\":\"a\"}]", "/skills/1/name is a duplicate: \"a\"");
    assertThat(daemon.get("/api/agents").body().path("agents")).isEmpty();
  }

  @Test
  @Requirement("S2-32")
  void many_dependencies_are_resolved_quickly() {
    String all =
        IntStream.range(0, 60)
            .mapToObj(i ->
                "{\"name\":\"s%d\",\"requires\":[%s]}"
                    .formatted(
                        i,
                        IntStream.range(Math.max(0, i - 50), i)
                            .mapToObj(k -> "\"s" + k + "\"")
                            .collect(Collectors.joining(","))))
            .collect(Collectors.joining(",", "[", "]"));
    create(all);

    assertThat(briefing()).contains("### s0", "### s59");
  }

  private static String off() {
    return SAILING.formatted("false");
  }

  private void create(String skills) {
    assertThat(send(skills).status()).isEqualTo(201);
  }

  private void refused(String skills, String beginning) {
    Answer answer = send(skills);
    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.text("code")).isEqualTo("INVALID_CONFIG");
    assertThat(answer.text("message")).startsWith(beginning);
  }

  private Answer send(String skills) {
    return daemon.post("/api/agents", "{\"name\":\"ada\",\"skills\":" + skills + "}");
  }

  private String briefing() {
    return daemon.get("/api/agents/ada/briefing").body().path("system").asText();
  }
}
