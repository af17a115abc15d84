package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.platform.json.Json;
import dev.substrat.store.Dialect;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tools with a configured or computed answer.
final class ComputedToolTest {
  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @Test
  @Requirement({"C18", "S3-9"})
  void the_answer_is_the_configured_value_with_filled_placeholders() {
    Agent ada =
        team.external(
            """
            - { name: ports, description: All ports., executionType: internal,
                execution: { value: { north: [Bergen, "{{input.more}}"], n: "{{input.n}}" } } }
            - { name: list, description: A list., executionType: internal,
                execution: { value: [1, 2] } }
            - { name: leaky, description: Leaks., executionType: internal,
                execution: { value: { key: "${env.KEY}" } } }
            """);
    assertThat(team.call(ada, "ports", "{'n': 3}"))
        .isEqualTo(Json.own("{\"north\":[\"Bergen\"],\"n\":3}"));
    assertThat(team.call(ada, "list", "{}")).isEqualTo(Json.own("{\"value\":[1,2]}"));
    assertThat(team.call(ada, "leaky", "{}")).isEqualTo(Json.own("{\"key\":\"[redacted]\"}"));
    assertThat(team.service.requests).isEmpty();
  }

  @Test
  @Requirement({"S3-6", "S3-9"})
  void an_expression_computes_the_answer_from_the_arguments() {
    Agent ada =
        team.external(
            """
            - { name: total, description: Adds., executionType: internal,
                inputSchema: { type: object, properties: { items: { type: array } } },
                execution: { expression: "{'count': size(input.items), 'dear': input.items.filter(i, i.price > 10)}" } }
            - { name: half, description: Halves., executionType: gateway, visible: false,
                execution: { expression: "double(input.n) / 2.0" } }
            """);
    assertThat(Json.text(team.call(ada, "total", "{'items': [{'price': 12}, {'price': 9.5}]}")))
        .isEqualTo("{\"count\":2,\"dear\":[{\"price\":12}]}");
    assertThat(team.call(ada, "half", "{'n': 3}")).isEqualTo(Json.own("{\"value\":1.5}"));
    var failed = team.call(ada, "half", "{}");
    assertThat(failed.path("code").asText()).isEqualTo("EXPRESSION_FAILED");
    assertThat(failed.path("message").asText()).contains("key 'n' is not present");
    assertThat(failed.path("hint").asText()).contains("has(input.key)");
  }
}
