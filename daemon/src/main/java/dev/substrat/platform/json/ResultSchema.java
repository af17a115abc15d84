package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;

/// Derives the output schema of a tool from its result records.
///
/// Failures are part of the schema: the most common MCP client validates them, too, and would
/// otherwise replace our error by a schema violation.
final class ResultSchema {
  private ResultSchema() {}

  static ObjectNode of(List<Class<? extends Record>> shapes) {
    var schema = Json.object().put("type", "object");
    var properties = schema.putObject("properties");
    var forms = schema.putArray("anyOf");
    for (Class<? extends Record> shape : shapes) {
      ObjectNode own = RecordSchema.RESULT.of(shape);
      properties.setAll((ObjectNode) own.path("properties"));
      forms.addObject().set("required", own.withArrayProperty("required"));
    }
    forms.add(failure());
    return schema;
  }

  /// Union of these schemas.
  static ObjectNode any(List<JsonSchema> results) {
    var schema = Json.object().put("type", "object");
    var properties = schema.putObject("properties");
    var forms = new LinkedHashSet<JsonNode>();
    for (JsonSchema result : results) {
      properties.setAll((ObjectNode) result.json().path("properties"));
      result.json().path("anyOf").forEach(forms::add);
    }
    schema.putArray("anyOf").addAll(forms);
    return schema;
  }

  private static ObjectNode failure() {
    var failure = Json.object();
    var properties = failure.putObject("properties");
    properties.putObject("error").put("const", true);
    properties.putObject("code").put("type", "string");
    properties.putObject("message").put("type", "string");
    failure.putArray("required").add("error").add("code").add("message");
    return failure;
  }
}
