package dev.substrat.toolset.custom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.substrat.messaging.message.Messages;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.Dialect;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Custom tools from before schemas were validated, or whose schema fails only with certain values.
final class UnusableSchemaTest {
  private final CustomToolTeam team = new CustomToolTeam(Dialect.SQLITE);

  @AfterEach
  void close() throws IOException {
    team.close();
  }

  @ParameterizedTest
  @Requirement("S3-15")
  @ValueSource(
      strings = {
        "{ properties: { a: { pattern: '[' } } }",
        "{ properties: { a: { $ref: '#/nope' } } }",
        "{ properties: { a: { $dynamicRef: '#nope' } } }",
        "{ properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { anyOf: [ { $ref: '#/$defs/b' } ] } } }"
      })
  void a_call_whose_schema_cannot_be_evaluated_fails_and_the_turn_continues(String schema) {
    String yaml =
        """
        name: ada
        tools:
          - { name: look, description: Looks., executionType: internal, execution: { value: 1 },
              inputSchema: %s }
        provider:
          name: scripted
          playbook: [ { do: [ { call: look, with: { a: x }, save: it }, { say: "{{it.code}}" } ] } ]
        """
            .formatted(schema);
    // Stored without validation.
    AgentConfig config = Json.as(Yaml.own(yaml), AgentConfig.class);
    team.engine.agents().create(team.engine.providers().prepare(config));
    var asked =
        team.engine
            .messages()
            .fromOperator("ada", new Messages.PersonMessage("well?", true, null), null);
    team.runAll();
    assertThat(team.engine.messages().findReply(asked.id()).orElseThrow().text())
        .isEqualTo("INTERNAL");
    assertThat(team.rows("select status from run", "status")).containsExactly("done");
  }
}
