package dev.substrat.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.Dialect;
import dev.substrat.store.TestDatabase;
import dev.substrat.testkit.Requirement;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Exported agents contain no secrets and can be imported.
final class AgentExportTest {
  private static final String OWN_TOKEN = "substrat_0123456789abcdef_abcdefghijklmnopqrstuvwxyz";

  private final TestDatabase place = TestDatabase.fresh(Dialect.SQLITE);
  private final TestDaemon daemon = TestDaemon.on(place);

  @AfterEach
  void close() throws IOException {
    daemon.close();
    place.close();
  }

  @Test
  @Requirement("S2-33")
  void an_imported_export_creates_the_same_agent() {
    daemon.post("/api/agents", "{\"name\":\"mira\"}");
    daemon.post(
        "/api/agents",
        """
        {"name": "Ada", "handle": "ada-7", "parent": "mira", "systemPrompt": "Count.",
         "skills": [{"name": "Sums", "requires": ["Numbers"]}, {"name": "Numbers"}],
         "contextRefs": ["a.md"], "limits": {"maxChildren": 3}, "toolsets": ["team"],
         "workspace": {"path": "/tmp", "sandbox": "required"}}\
        """);
    JsonNode export = daemon.get("/api/agents/ada-7/export").body();

    assertThat(export.path("omitted")).isEmpty();
    assertThat(export.path("config").has("handle")).isFalse();
    assertThat(export.path("config").has("parent")).isFalse();
    assertThat(export.at("/config/workspace").toString()).isEqualTo("{\"sandbox\":\"required\"}");
    assertThat(daemon.post("/api/agents", export.path("config").toString()).status())
        .isEqualTo(201);
    assertThat(daemon.get("/api/agents/ada/export").body()).isEqualTo(export);
  }

  @Test
  @Requirement("S2-33")
  void secrets_are_not_exported_and_their_paths_are_listed() {
    var made =
        daemon.post(
            "/api/agents",
            """
            {"name": "Ada", "systemPrompt": "The key is %s, never tell.",
             "provider": {"name": "scripted", "command": ["sh", "--api-key", "c0mmand"]},
             "tools": [
               {"name": "ask", "description": "d", "executionType": "gateway",
                "inputSchema": {"type": "object", "properties": {"token": {"type": "string"}}},
                "execution": {"url": "https://u:p4ss@example.org/",
                  "headers": {"X-Team": "h34der", "Accept": "text/plain"},
                  "body": {"password": "b0dy", "amount": "12", "session": "{{input.token}}"}}},
               {"name": "look", "description": "d", "executionType": "gateway",
                "execution": {"url": "https://example.org/?q=1&access_token=qu3ry"}}],
             "mcp": {"servers": [{"name": "s", "command": "npx", "args": ["x", "--token=4rgs"],
                                  "env": {"HOME_TOWN": "3nv"}}]}}\
            """
                .formatted(OWN_TOKEN));
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    JsonNode export = daemon.get("/api/agents/ada/export").body();

    assertThat(export.toString())
        .doesNotContain(OWN_TOKEN, "c0mmand", "p4ss", "h34der", "b0dy", "qu3ry", "4rgs", "3nv")
        .contains("(redacted), never tell", "text/plain", "\"amount\":\"12\"", "{{input.token}}");
    assertThat(export.path("omitted"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder(
            "/systemPrompt",
            "/provider/command",
            "/tools/0/execution/url",
            "/tools/0/execution/headers/X-Team",
            "/tools/0/execution/body/password",
            "/tools/1/execution/url",
            "/mcp/servers/0/args",
            "/mcp/servers/0/env/HOME_TOWN");
    assertThat(export.at("/config/tools/0/inputSchema/properties/token/type").asText())
        .as("a name alone is no secret")
        .isEqualTo("string");
  }

  @Test
  @Requirement("S2-33")
  void secrets_are_recognised_in_addresses_arguments_and_bodies() {
    var made =
        daemon.post(
            "/api/agents",
            """
            {"name": "Ada", "description": "Asks postgres://u:s3cret@db/x and ssh://git@host/x.",
             "provider": {"name": "openai", "model": "m", "maxOutputTokens": 77},
             "tools": [
               {"name": "hook", "description": "d", "executionType": "gateway",
                "execution": {"url": "https://hooks.slack.com/services/T0/B0/s3cret"}},
               {"name": "bot", "description": "d", "executionType": "gateway",
                "execution": {"url": "https://api.test/bot12345:s3cret/send"}},
               {"name": "code", "description": "d", "executionType": "gateway",
                "execution": {"url": "https://api.test/?code=s3cret"}},
               {"name": "send", "description": "d", "executionType": "gateway",
                "inputSchema": {"type": "object", "properties": {"token": {"type": "string"}, "pin": {"type": "integer"}}},
                "execution": {"method": "POST", "url": "https://api.test/v1/{{input.pin}}?sort=key",
                  "queryParams": {"pwd": "s3cret", "pin": 123123, "page": 7},
                  "body": {"auth": "s3cret", "key": "s3cret", "pin": 123123, "token": {"value": "s3cret"}, "otp": [123123],
                    "list": ["Authorization: Bearer s3cret", "plain"], "max_tokens": 500, "country_code": 49,
                    "keyboard": "de", "signature": "s3cret", "code": "{{input.pin}}"}}}],
             "mcp": {"servers": [
               {"name": "a", "command": "npx", "args": ["postgresql://u:s3cret@db/x"]},
               {"name": "b", "command": "npx", "args": ["-e", "DATABASE_URL=postgres://u:s3cret@db/x"]},
               {"name": "c", "command": "npx", "args": ["-H", "X-Key: s3cret"]},
               {"name": "d", "command": "npx", "args": ["--port", "8080", "https://api.test/x"]}]}}\
            """);
    assertThat(made.status()).as("%s", made).isEqualTo(201);
    JsonNode export = daemon.get("/api/agents/ada/export").body();

    assertThat(export.toString()).doesNotContain("s3cret", "123123");
    assertThat(export.path("omitted"))
        .extracting(JsonNode::asText)
        .containsExactlyInAnyOrder(
            "/description",
            "/tools/0/execution/url",
            "/tools/1/execution/url",
            "/tools/2/execution/url",
            "/tools/3/execution/queryParams/pwd",
            "/tools/3/execution/queryParams/pin",
            "/tools/3/execution/body/auth",
            "/tools/3/execution/body/key",
            "/tools/3/execution/body/pin",
            "/tools/3/execution/body/token",
            "/tools/3/execution/body/otp",
            "/tools/3/execution/body/list/0",
            "/tools/3/execution/body/signature",
            "/mcp/servers/0/args",
            "/mcp/servers/1/args",
            "/mcp/servers/2/args");
    JsonNode config = export.path("config");
    assertThat(config.path("description").asText())
        .isEqualTo("Asks postgres://(redacted)@db/x and ssh://git@host/x.");
    assertThat(config.at("/provider/maxOutputTokens").asInt()).isEqualTo(77);
    assertThat(config.at("/tools/3/execution/url").asText())
        .isEqualTo("https://api.test/v1/{{input.pin}}?sort=key");
    assertThat(config.at("/tools/3/execution/body").toString())
        .isEqualTo(
            "{\"list\":[\"Authorization: (redacted)\",\"plain\"],\"max_tokens\":500,"
                + "\"country_code\":49,\"keyboard\":\"de\",\"code\":\"{{input.pin}}\"}");
    assertThat(config.at("/tools/3/inputSchema/properties/pin/type").asText()).isEqualTo("integer");
    assertThat(config.at("/mcp/servers/3/args")).hasSize(3);
  }

  @Test
  void secrets_in_query_strings_are_omitted_with_a_warning() {
    String random = "3f9a8b7c6d5e4f3a2b1c0d9e";
    var created =
        daemon.post(
            "/api/agents",
            """
            {"name":"weather","provider":{"name":"external"},"tools":[
              {"name":"a","description":"d","executionType":"gateway","execution":{
                "url":"https://a.example/?units=metric&appid=%1$s",
                "headers":{"X-Version":"2","X-Api-Key":"abc"}}},
              {"name":"b","description":"d","executionType":"gateway","execution":{
                "url":"https://a.example/","queryParams":{"appid":"%1$s","units":"metric"},
                "headers":{"Authorization":"Bearer {{input.key}}"},
                "body":{"password":"abc","note":"Bearer of good news"}}}]}
            """
                .formatted(random));
    assertThat(created.status()).as("%s", created).isEqualTo(201);
    assertThat(created.body().path("warnings").toString())
        .contains(
            "/tools/0/execution/url looks like a secret", "/tools/0/execution/headers/X-Api-Key")
        .contains("/tools/1/execution/queryParams/appid", "/tools/1/execution/body/password")
        .contains("${env.NAME}")
        .doesNotContain("X-Version", "Authorization", "units", "note");
    assertThat(daemon.get("/api/agents/weather/export").body().toString())
        .contains("metric", "Bearer {{input.key}}")
        .doesNotContain(random, "abc");
  }
}
