package dev.substrat.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.address.AllowedHosts;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.mcp.client.McpClient;
import dev.substrat.mcp.client.McpConnector;
import dev.substrat.mcp.client.RemoteProgress;
import dev.substrat.mcp.client.ServerAddress;
import dev.substrat.mcp.client.ToolDefinition;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// Program that the conformance suite starts for each client scenario: our client, performing the
/// actions that the scenario expects.
public final class ClientUnderTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private ClientUnderTest() {}

  /// The suite passes the server's URL as the last argument and the scenario in the environment.
  public static void main(String[] arguments) {
    String scenario = System.getenv("MCP_CONFORMANCE_SCENARIO");
    var address = new ServerAddress.HttpAddress(arguments[arguments.length - 1], Map.of());
    try (var telemetry = Telemetry.withoutExport();
        var outgoing =
            new GuardedHttpClient(
                AllowedHosts.parse(List.of("localhost")), telemetry, "conformance");
        var client =
            new McpConnector(outgoing, "conformance").connect(address, () -> {}, PATIENCE)) {
      List<ToolDefinition> tools = client.listTools(PATIENCE);
      switch (scenario) {
        case "http-custom-headers" -> callAsTold(client, tools);
        case "json-schema-2020-12-preservation" -> echo(client, tools);
        case "json-schema-ref-no-deref" -> {
          // The suite only checks that the client does not follow the reference in the list.
        }
        default -> tools.forEach(tool -> call(client, tool, anything(tool)));
      }
    }
  }

  private static void callAsTold(McpClient client, List<ToolDefinition> tools) {
    byte[] context = System.getenv("MCP_CONFORMANCE_CONTEXT").getBytes(UTF_8);
    for (JsonNode told : Json.parse(context).path("toolCalls")) {
      call(client, find(tools, told.path("name").asText()), (ObjectNode) told.path("arguments"));
    }
  }

  private static void echo(McpClient client, List<ToolDefinition> tools) {
    var arguments = Json.object();
    arguments.set("schema", find(tools, "json_schema_2020_12_tool").inputSchema());
    call(client, find(tools, "json_schema_echo"), arguments);
  }

  private static ToolDefinition find(List<ToolDefinition> tools, String name) {
    return tools.stream().filter(tool -> tool.name().equals(name)).findFirst().orElseThrow();
  }

  private static void call(McpClient client, ToolDefinition tool, ObjectNode arguments) {
    client.callTool(
        tool, arguments, new McpClient.CallOptions(RemoteProgress.IGNORED, PATIENCE, null));
  }

  /// A value for each required argument of the tool.
  private static ObjectNode anything(ToolDefinition tool) {
    var arguments = Json.object();
    for (JsonNode key : tool.inputSchema().path("required")) {
      String type = tool.inputSchema().at("/properties/" + key.asText() + "/type").asText();
      if (type.equals("string")) {
        arguments.put(key.asText(), "something");
      } else {
        arguments.put(key.asText(), 5);
      }
    }
    return arguments;
  }
}
