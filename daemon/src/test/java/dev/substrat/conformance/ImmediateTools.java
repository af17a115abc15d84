package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpLogLevel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.platform.json.Json;
import java.util.function.Consumer;

/// Tools that answer immediately.
final class ImmediateTools {
  private final Consumer<CatalogChange> changes;

  ImmediateTools(Consumer<CatalogChange> changes) {
    this.changes = changes;
  }

  void register(Fixtures fixtures) {
    fixtures.tool(
        "test_simple_text", (_, _) -> Content.said("This is a simple text response for testing."));
    fixtures.tool("test_image_content", (_, _) -> Content.result(Content.image()));
    fixtures.tool("test_audio_content", (_, _) -> Content.result(Content.audio()));
    fixtures.tool(
        "test_embedded_resource",
        (_, _) ->
            Content.result(
                Content.resource(
                    "test://embedded-resource",
                    "text/plain",
                    "This is an embedded resource content.")));
    fixtures.tool(
        "test_multiple_content_types",
        (_, _) ->
            Content.result(
                Content.text("Multiple content types test:"),
                Content.image(),
                Content.resource(
                    "test://mixed-content-resource",
                    "application/json",
                    "{\"test\":\"data\",\"value\":123}")));
    fixtures.tool("test_error_handling", (_, _) -> failure());
    fixtures.tool("test_tool_with_logging", (_, contact) -> logged(contact));
    fixtures.tool("test_logging_tool", (_, contact) -> logged(contact));
    fixtures.tool("test_tool_with_progress", (_, contact) -> stepByStep(contact));
    fixtures.tool(
        "greet", (arguments, _) -> Content.said("Hello, " + arguments.path("name").asText() + "!"));
    fixtures.tool("json_schema_2020_12_tool", (arguments, _) -> Content.said(arguments.toString()));
    fixtures.tool("test_header_mirror", (arguments, _) -> Content.said(arguments.toString()));
    fixtures.tool(
        "test_trigger_tool_change", (_, _) -> changed(CatalogChange.CatalogListChange.TOOLS));
    fixtures.tool(
        "test_trigger_prompt_change", (_, _) -> changed(CatalogChange.CatalogListChange.PROMPTS));
  }

  private static McpOutcome failure() {
    var result = Json.object().put("isError", true);
    result.putArray("content").add(Content.text("This tool fails on purpose"));
    return new McpOutcome.CompleteResult(result);
  }

  private static McpOutcome logged(ClientChannel contact) {
    for (String step : new String[] {"started", "processing", "completed"}) {
      contact.log(McpLogLevel.INFO, new TextNode("Tool execution " + step));
    }
    return Content.said("Tool with logging executed successfully");
  }

  private static McpOutcome stepByStep(ClientChannel contact) {
    for (int done : new int[] {0, 50, 100}) {
      contact.progress(done, 100, "Completed step " + done + " of 100");
    }
    return Content.said("done");
  }

  private McpOutcome changed(CatalogChange change) {
    changes.accept(change);
    return Content.said("changed");
  }

  static ObjectNode anything() {
    var schema = Json.object().put("type", "object");
    schema.putObject("properties");
    return schema;
  }
}
