package dev.substrat.conformance;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ClientChannel;
import dev.substrat.mcp.spi.McpOutcome;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;
import java.util.List;
import java.util.regex.Pattern;

/// Prompts and resources of the conformance suite.
final class PromptAndResourceFixtures {
  private static final Pattern TEMPLATE = Pattern.compile("test://template/([^/]+)/data");

  private PromptAndResourceFixtures() {}

  static List<ObjectNode> prompts() {
    return List.of(
        prompt("test_simple_prompt"),
        prompt("test_prompt_with_arguments", "arg1", "arg2"),
        prompt("test_prompt_with_embedded_resource", "resourceUri"),
        prompt("test_prompt_with_image"),
        prompt("test_input_required_result_prompt"));
  }

  private static ObjectNode prompt(String name, String... arguments) {
    var card = Json.object().put("name", name).put("description", "For the suite: " + name);
    var list = card.putArray("arguments");
    for (String argument : arguments) {
      list.addObject()
          .put("name", argument)
          .put("description", "For the suite")
          .put("required", true);
    }
    return card;
  }

  static McpOutcome prompt(String name, ObjectNode arguments, ClientChannel contact) {
    return switch (name) {
      case "test_simple_prompt" -> messages(Content.text("This is a simple prompt for testing."));
      case "test_prompt_with_arguments" ->
          messages(
              Content.text(
                  "Prompt with arguments: arg1='%s', arg2='%s'"
                      .formatted(
                          arguments.path("arg1").asText(), arguments.path("arg2").asText())));
      case "test_prompt_with_embedded_resource" ->
          messages(
              Content.resource(
                  arguments.path("resourceUri").asText(),
                  "text/plain",
                  "Embedded resource content for testing."),
              Content.text("Please process the embedded resource above."));
      case "test_prompt_with_image" ->
          messages(Content.image(), Content.text("Please analyze the image above."));
      case "test_input_required_result_prompt" ->
          contact.answers().has("user_context")
              ? messages(Content.text(contact.answers().at("/user_context/content").toString()))
              : ElicitationTools.ask(
                  "user_context",
                  ElicitationTools.elicitation("What context should the prompt use?", "context"));
      default -> throw ProtocolError.badParams("there is no prompt " + name);
    };
  }

  private static McpOutcome messages(ObjectNode... contents) {
    var result = Json.object();
    var list = result.putArray("messages");
    for (ObjectNode content : contents) {
      list.addObject().put("role", "user").set("content", content);
    }
    return new McpOutcome.CompleteResult(result);
  }

  static List<ObjectNode> resources() {
    return List.of(
        resource("test://static-text", "text/plain"),
        resource("test://static-binary", "image/png"),
        resource("test://watched-resource", "text/plain"));
  }

  private static ObjectNode resource(String uri, String type) {
    return Json.object()
        .put("uri", uri)
        .put("name", uri.substring("test://".length()))
        .put("description", "For the suite")
        .put("mimeType", type);
  }

  static List<ObjectNode> templates() {
    return List.of(
        Json.object()
            .put("uriTemplate", "test://template/{id}/data")
            .put("name", "template")
            .put("description", "For the suite")
            .put("mimeType", "application/json"));
  }

  static McpOutcome read(String uri, ClientChannel contact) {
    var template = TEMPLATE.matcher(uri);
    if (template.matches()) {
      String id = template.group(1);
      var data = Json.object().put("id", id).put("templateTest", true);
      return contents(
          uri, "application/json", "text", data.put("data", "Data for ID: " + id).toString());
    }
    return switch (uri) {
      case "test://static-text" ->
          contents(uri, "text/plain", "text", "This is the content of the static text resource.");
      case "test://static-binary" -> contents(uri, "image/png", "blob", Content.png());
      case "test://watched-resource" -> contents(uri, "text/plain", "text", "Watched");
      default -> throw ProtocolError.noResource(uri, contact.client());
    };
  }

  private static McpOutcome contents(String uri, String type, String key, String value) {
    var result = Json.object();
    result.putArray("contents").addObject().put("uri", uri).put("mimeType", type).put(key, value);
    return new McpOutcome.CompleteResult(result);
  }
}
