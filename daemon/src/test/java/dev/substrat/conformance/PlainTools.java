package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.mcp.spi.Change;
import dev.substrat.mcp.spi.Contact;
import dev.substrat.mcp.spi.LogLevel;
import dev.substrat.mcp.spi.Outcome;
import dev.substrat.platform.json.Json;
import java.util.function.Consumer;

/// Tools that answer at once.
final class PlainTools {
  private final Consumer<Change> changes;

  PlainTools(Consumer<Change> changes) {
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
    fixtures.tool("test_trigger_tool_change", (_, _) -> changed(Change.Listing.TOOLS));
    fixtures.tool("test_trigger_prompt_change", (_, _) -> changed(Change.Listing.PROMPTS));
  }

  private static Outcome failure() {
    var result = Json.object().put("isError", true);
    result.putArray("content").add(Content.text("This tool fails on purpose"));
    return new Outcome.Complete(result);
  }

  private static Outcome logged(Contact contact) {
    for (String step : new String[] {"started", "processing", "completed"}) {
      contact.log(LogLevel.INFO, new TextNode("Tool execution " + step));
    }
    return Content.said("Tool with logging executed successfully");
  }

  private static Outcome stepByStep(Contact contact) {
    for (int done : new int[] {0, 50, 100}) {
      contact.progress(done, 100, "Completed step " + done + " of 100");
    }
    return Content.said("done");
  }

  private Outcome changed(Change change) {
    changes.accept(change);
    return Content.said("changed");
  }

  static ObjectNode anything() {
    var schema = Json.object().put("type", "object");
    schema.putObject("properties");
    return schema;
  }
}
