package dev.substrat.catalog.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.team.AgentConfig;
import dev.substrat.testkit.Requirement;
import org.junit.jupiter.api.Test;

/// Masking of secrets in configurations that are shown or exported.
final class PortableConfigTest {
  @Test
  @Requirement("C24")
  void in_headers_bodies_and_commands_only_references_are_shown() {
    var config =
        """
        {"name": "Closed",
         "provider": {"name": "claude-code", "args": ["--x", "c4nary", "${env.A}"], "env": {"B": "c4nary", "C": "${env.C}"}},
         "tools": [{"name": "post", "description": "Posts.", "executionType": "gateway",
           "inputSchema": {"type": "object", "properties": {"body": {"type": "string"}, "url": {"type": "string", "default": "x"}, "key": {"type": "integer"}}},
           "execution": {"method": "POST", "url": "https://a.test:8443/botc4nary/{{input.url}}/v-{{input.body}}?code=c4nary&t=${env.T}&c4nary",
             "headers": {"Authorization": "Bearer ${env.T}", "X-Id": "c4nary ${env.X}", "Content-Type": "application/json"},
             "queryParams": {"limit": 123123, "q": "{{input.body}}"},
             "body": {"auth": "c4nary", "key": "c4nary", "pin": 123123, "token": 123123, "deep": {"pin": [123123, {"a": "c4nary"}]},
               "list": ["Authorization: Bearer c4nary", "{{input.body}}", true, null]}}},
          {"name": "hook", "description": "Hooks.", "executionType": "external",
           "execution": {"webhookUrl": "https://hooks.slack.com/services/T/B/c4nary"}},
          {"name": "plain", "description": "Answers.", "executionType": "internal", "execution": {"value": {"a": "c4nary", "b": "{{input.x}}"}}},
          {"name": "sum", "description": "Sums.", "executionType": "internal", "execution": {"expression": "input.n + 'c4nary'"}}],
         "mcp": {"servers": [{"name": "db", "command": "npx",
           "args": ["postgresql://u:c4nary@db/x", "-e", "DATABASE_URL=postgres://u:c4nary@db/x", "--dsn=${env.DSN}"],
           "env": {"A": "${env.A}"}}]}}
        """;

    JsonNode shown = PortableConfig.masked(Json.as(Json.own(config), AgentConfig.class));

    assertThat(shown.toString()).doesNotContain("c4nary", "123123");
    JsonNode execution = shown.at("/tools/0/execution");
    assertThat(execution.path("url").asText())
        .isEqualTo(
            "https://a.test:8443/***/{{input.url}}/***{{input.body}}?code=***&t=${env.T}&***");
    assertThat(execution.path("method").asText()).isEqualTo("POST");
    assertThat(execution.path("headers").toString())
        .isEqualTo(
            "{\"Authorization\":\"Bearer ${env.T}\",\"X-Id\":\"***${env.X}\","
                + "\"Content-Type\":\"application/json\"}");
    assertThat(execution.path("queryParams").toString())
        .isEqualTo("{\"limit\":\"***\",\"q\":\"{{input.body}}\"}");
    assertThat(execution.at("/body/deep").toString())
        .isEqualTo("{\"pin\":[\"***\",{\"a\":\"***\"}]}");
    assertThat(execution.at("/body/list").toString())
        .isEqualTo("[\"***\",\"{{input.body}}\",true,null]");
    assertThat(shown.at("/tools/0/inputSchema/properties/url").toString())
        .isEqualTo("{\"type\":\"string\",\"default\":\"x\"}");
    assertThat(shown.at("/tools/1/execution/webhookUrl").asText())
        .isEqualTo("https://hooks.slack.com/***/***/***/***");
    assertThat(shown.at("/tools/2/execution/value").toString())
        .isEqualTo("{\"a\":\"***\",\"b\":\"{{input.x}}\"}");
    assertThat(shown.at("/tools/3/execution/expression").asText()).isEqualTo("***");
    assertThat(shown.at("/tools/3/description").asText()).isEqualTo("Sums.");
    assertThat(shown.at("/mcp/servers/0/command").asText()).isEqualTo("npx");
    assertThat(shown.at("/mcp/servers/0/args").toString())
        .isEqualTo("[\"***\",\"***\",\"***\",\"***${env.DSN}\"]");
    assertThat(shown.at("/mcp/servers/0/env/A").asText()).isEqualTo("${env.A}");
    assertThat(shown.at("/provider/args").toString()).isEqualTo("[\"***\",\"***\",\"${env.A}\"]");
    assertThat(shown.at("/provider/env").toString())
        .isEqualTo("{\"B\":\"***\",\"C\":\"${env.C}\"}");
  }

  @Test
  @Requirement("C24")
  void a_url_is_shown_with_its_host_and_all_other_literal_parts_are_masked() {
    assertThat(address("https://a.test")).isEqualTo("https://a.test");
    assertThat(address("https://a.test:8443/v1/x/?q=1#f"))
        .isEqualTo("https://a.test:8443/***/***/?q=***#***");
    assertThat(address("https://{{input.host}}/v1")).isEqualTo("https://{{input.host}}/***");
    assertThat(address("${env.BASE}/v1")).isEqualTo("${env.BASE}***");
    assertThat(address("https://u:${env.P}@a.test")).isEqualTo("https://***${env.P}@a.test");
    assertThat(address("https://token@a.test")).isEqualTo("https://***@a.test");
    assertThat(address("postgres://u:12/34@a.test/x")).isEqualTo("***");
    assertThat(address("https://a b:c4nary/x")).isEqualTo("https://***/***");
    assertThat(address("{{c4nary}}")).isEqualTo("***");
  }

  private static String address(String url) {
    return SecretMasking.of("url", Json.own(Json.text(url))).asText();
  }
}
