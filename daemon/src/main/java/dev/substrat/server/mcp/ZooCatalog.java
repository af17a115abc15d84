package dev.substrat.server.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.catalog.zoo.ZooTool;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpCatalog;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.spi.ToolDefinitionList;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;

/// MCP catalog of a zoo client: agents and their brain entries, read and written without an agent's
/// tools, inbox, team or record.
final class ZooCatalog implements McpCatalog {
  private static final Log LOG = Log.of(ZooCatalog.class);

  /// Instructions for the model of a zoo client.
  private static final String INSTRUCTIONS =
      """
      `agent_zoo_list_agents` lists agents that people have created. `agent_zoo_inject` returns the prompt
      of an agent: follow the prompt to act as that agent. Store what an agent learns in a chat with
      `agent_zoo_create_brain_entry`, and search it with `agent_zoo_query_brain`. No tool changes the agents themselves.
      """;

  private final List<ZooTool> tools;
  private final List<ZooTool> described;
  private final ToolDescriptors cards;
  private final ZooResources descriptors;
  private final DefaultAgent standard;

  /// `described` are the same tools for all clients, so that their descriptors are created once.
  ZooCatalog(
      List<ZooTool> tools,
      List<ZooTool> described,
      ToolDescriptors cards,
      ZooResources descriptors,
      DefaultAgent standard) {
    this.tools = tools;
    this.described = described;
    this.cards = cards;
    this.descriptors = descriptors;
    this.standard = standard;
  }

  static String instructions(DefaultAgent standard) {
    return INSTRUCTIONS + standard.instructions();
  }

  @Override
  public ToolDefinitionList tools() {
    return cards.of(described);
  }

  @Override
  public McpOutcome call(String tool, ObjectNode arguments, ClientChannel contact) {
    try {
      return new McpOutcome.CompleteResult(
          AgentCatalog.result(require(tool).call(arguments), Json.object()));
    } catch (Fault fault) {
      return new McpOutcome.CompleteResult(failed(fault));
    } catch (RuntimeException e) {
      LOG.error("a zoo tool failed unexpectedly", e, "tool", tool);
      return new McpOutcome.CompleteResult(
          failed(ErrorCode.INTERNAL.fault("The tool failed unexpectedly.", "try again later")));
    }
  }

  @Override
  public List<ObjectNode> prompts() {
    return descriptors.prompts(standard);
  }

  @Override
  public McpOutcome prompt(String name, ObjectNode arguments, ClientChannel contact) {
    return new McpOutcome.CompleteResult(descriptors.prompt(name, standard));
  }

  @Override
  public List<ObjectNode> resources() {
    return descriptors.resources();
  }

  @Override
  public List<ObjectNode> templates() {
    return ZooResources.templates();
  }

  @Override
  public McpOutcome read(String uri, ClientChannel contact) {
    return new McpOutcome.CompleteResult(
        descriptors.read(uri).orElseThrow(() -> ProtocolError.noResource(uri, contact.client())));
  }

  /// Every completable argument is the id of an agent.
  @Override
  public List<String> complete(ObjectNode what, ObjectNode argument, ObjectNode others) {
    return ZooResources.TEMPLATE.equals(what.path("uri").asText())
        ? descriptors.ids(argument.path("value").asText())
        : List.of();
  }

  private ZooTool require(String name) {
    return tools.stream()
        .filter(tool -> tool.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            ErrorCode.UNKNOWN_TOOL.fault(
                "Unknown tool %s.".formatted(name),
                "available tools: "
                    + String.join(", ", tools.stream().map(ZooTool::name).toList())));
  }

  /// Exactly the three keys that clients of AgentZoo know; the hint is separate.
  private static ObjectNode failed(Fault fault) {
    var json =
        Json.object()
            .put("error", true)
            .put("code", fault.code().name())
            .put("message", fault.message());
    return AgentCatalog.result(json, Json.object().put("hint", fault.hint()));
  }
}
