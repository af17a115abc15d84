package dev.substrat.toolset.remote;

import static dev.substrat.mcp.client.StrangeServer.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.substrat.mcp.client.StrangeServer;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.Yaml;
import dev.substrat.store.OnEveryDatabase;
import dev.substrat.store.TestDatabase;
import dev.substrat.team.Agent;
import dev.substrat.testkit.Requirement;
import dev.substrat.tool.Tool;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Servers whose tools have schemas that nothing can be checked against. That is their business:
/// here schemas are shown, and whoever made them checks.
@OnEveryDatabase
@Timeout(60)
final class UselessSchemasTest {
  private final TestDatabase kind;

  UselessSchemasTest(TestDatabase kind) {
    this.kind = kind;
  }

  @ParameterizedTest
  @Requirement("S3-51")
  @ValueSource(
      strings = {
        "{ type: object, properties: { a: { pattern: '[' } } }",
        "{ type: object, properties: { a: { $ref: '#/nope' } } }",
        "{ type: object, properties: { a: { $ref: 'https://a.test/b.json' } } }",
        "{ type: object, allOf: [ { $ref: '#' } ] }"
      })
  void tools_with_an_unusable_schema_can_be_called(String schema) throws Exception {
    try (var outpost = new Outpost(kind);
        var server = StrangeServer.modern()) {
      server.offers(tool("weather", "Tells.").set("inputSchema", Yaml.own(schema)));
      Agent ada = outpost.agent("ada", Outpost.at("met", server));
      outpost.look(ada);
      Tool weather = outpost.tool(ada, "weather");
      assertThatCode(() -> weather.input().require(Json.object().put("a", "x")))
          .doesNotThrowAnyException();
      assertThat(Outpost.call(ada, weather).toString()).contains("it rains");
    }
  }
}
