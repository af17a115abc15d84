package dev.substrat.mcp.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.server.TestClient;
import dev.substrat.server.TestDaemon;
import dev.substrat.store.TestDatabase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Mira, who leads ada and ben: external agents that act over MCP with their tokens.
final class McpTeam implements AutoCloseable {
  /// Parameters of `tools/list` that ask for output schemas.
  static final String WITH_OUTPUT = "{\"_meta\":{\"substrat/outputSchema\":true}}";

  private final TestDatabase place;
  private final Map<String, TestClient> clients = new ConcurrentHashMap<>();
  final TestDaemon daemon;

  McpTeam(TestDatabase kind) {
    this.place = TestDatabase.fresh(kind.dialect());
    this.daemon = TestDaemon.on(place);
    external("mira", null);
    external("ada", "mira");
    external("ben", "mira");
  }

  /// Its database, for direct access.
  TestDatabase place() {
    return place;
  }

  void external(String name, @Nullable String parent) {
    create(
        name,
        "{\"name\":\"%s\",%s\"provider\":{\"name\":\"external\"}}"
            .formatted(name, parent == null ? "" : "\"parent\":\"" + parent + "\","));
  }

  /// An agent from its JSON, with a client that has its token.
  void create(String name, String json) {
    var created = daemon.post("/api/agents", json);
    assertThat(created.status()).as(created.body().toString()).isEqualTo(201);
    connect(name);
  }

  void connect(String name) {
    clients.put(name, daemon.as(token(name)));
  }

  TestClient client(String agent) {
    return Objects.requireNonNull(clients.get(agent));
  }

  String token(String agent) {
    return daemon.post("/api/agents/" + agent + "/tokens", "{}").text("token");
  }

  String keyed(String agent, String tool, String key) {
    return client(agent)
        .post("/mcp", request("tools/call", "{\"name\":\"" + tool + "\"}"), "Idempotency-Key", key)
        .body()
        .path("result")
        .path("structuredContent")
        .toString();
  }

  JsonNode call(String agent, String tool, String arguments) {
    return rpc(agent, "tools/call", "{\"name\":\"%s\",\"arguments\":%s}".formatted(tool, arguments))
        .path("structuredContent");
  }

  /// The code of the refusal.
  String refusal(String agent, String tool, String arguments) {
    return call(agent, tool, arguments).path("code").asText();
  }

  JsonNode rpc(String agent, String method, String parameters) {
    var answer = client(agent).post("/mcp", request(method, parameters));
    assertThat(answer.status()).isEqualTo(200);
    return answer.body().path("result");
  }

  /// Names of the tools listed for `client`.
  static List<String> tools(TestClient client) {
    var names = new ArrayList<String>();
    client
        .post("/mcp", request("tools/list", "{}"))
        .body()
        .path("result")
        .path("tools")
        .forEach(tool -> names.add(tool.path("name").asText()));
    return names;
  }

  static String request(String method, String parameters) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}"
        .formatted(method, parameters);
  }

  static List<String> fields(JsonNode node) {
    var names = new ArrayList<String>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Override
  public void close() throws IOException {
    clients.values().forEach(TestClient::close);
    daemon.close();
    place.close();
  }
}
