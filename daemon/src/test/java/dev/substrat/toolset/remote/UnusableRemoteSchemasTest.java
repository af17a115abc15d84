package dev.substrat.toolset.remote;

import static dev.substrat.mcp.client.FakeMcpServer.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.substrat.mcp.client.FakeMcpServer;
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

/// Remote tools whose schemas cannot be evaluated. They are passed on, and the server validates
/// arguments itself.
@OnEveryDatabase
@Timeout(300)
final class UnusableRemoteSchemasTest {
  private final TestDatabase kind;

  UnusableRemoteSchemasTest(TestDatabase kind) {
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
    try (var outpost = new RemoteServerTeam(kind);
        var server = FakeMcpServer.modern()) {
      server.offers(tool("weather", "Tells.").set("inputSchema", Yaml.own(schema)));
      Agent ada = outpost.agent("ada", RemoteServerTeam.at("met", server));
      outpost.look(ada);
      Tool weather = outpost.tool(ada, "weather");
      assertThatCode(() -> weather.input().require(Json.object().put("a", "x")))
          .doesNotThrowAnyException();
      assertThat(RemoteServerTeam.call(ada, weather).toString()).contains("it rains");
    }
  }
}
