package dev.substrat.catalog.zoo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.ToolDescription;
import dev.substrat.tool.ToolEffect;

/// A tool of the zoo. `checked` is the schema that arguments are validated against; it may accept
/// more than the published one where the tool itself has a better error message.
public record ZooTool(
    String name,
    String title,
    ToolEffect effect,
    String description,
    JsonSchema input,
    JsonSchema checked,
    JsonSchema output,
    ZooToolImplementation body)
    implements ToolDescription {

  /// Implementation of the tool.
  @FunctionalInterface
  interface ZooToolImplementation {
    Record run(ObjectNode arguments);
  }

  /// Throws a fault if it fails.
  public ObjectNode call(ObjectNode arguments) {
    checked.require(arguments);
    return (ObjectNode) Json.tree(body.run(arguments));
  }
}
