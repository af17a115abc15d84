package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.server.api.EventReader;

/// A zoo client such as an IDE: one session, and the stream of its notifications.
final class ZooTestClient implements AutoCloseable {
  private final String url;
  private final TestClient client;
  private final String session;
  private final String instructions;

  /// `wish` contains further keys beside `"zoo": true` for the creation of its token.
  ZooTestClient(TestDaemon daemon, String options) {
    this.url = daemon.url();
    var minted = daemon.post("/api/tokens", "{\"zoo\":true" + options + "}");
    assertThat(minted.status()).as("%s", minted).isEqualTo(201);
    this.client = daemon.as(minted.text("token"));
    var hello =
        client.post(
            "/mcp",
            McpTeam.request(
                "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}"));
    this.session = hello.header("Mcp-Session-Id");
    this.instructions = hello.body().at("/result/instructions").asText();
  }

  /// Instructions that it got at initialization.
  String instructions() {
    return instructions;
  }

  /// The first event arrives when the subscription is active.
  EventReader listen() {
    return new EventReader(
        url + "/mcp", client.token(), "Accept", "text/event-stream", "Mcp-Session-Id", session);
  }

  JsonNode rpc(String method, String parameters) {
    var answer =
        client.post("/mcp", McpTeam.request(method, parameters), "Mcp-Session-Id", session);
    assertThat(answer.status()).as("%s", answer).isEqualTo(200);
    return answer.body();
  }

  /// The tool's object, equal in the structured content and in the text.
  JsonNode call(String tool, String arguments) {
    JsonNode result =
        rpc("tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
            .path("result");
    JsonNode content = result.path("structuredContent");
    assertThat(result.at("/content/0/text").asText()).isEqualTo(content.toString());
    assertThat(result.path("isError").asBoolean()).isEqualTo(content.path("error").asBoolean());
    return content;
  }

  String injected(String agent) {
    return call("agent_zoo_inject", "{\"agentId\":\"" + agent + "\"}").path("prompt").asText();
  }

  /// The text of a prompt that a person chooses.
  String prompt(String name) {
    return rpc("prompts/get", "{\"name\":\"" + name + "\"}")
        .at("/result/messages/0/content/text")
        .asText();
  }

  JsonNode prompts() {
    return rpc("prompts/list", "{}").at("/result/prompts");
  }

  @Override
  public void close() {
    client.close();
  }
}
