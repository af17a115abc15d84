package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;

/// Executes a tool with a fixed result from the configuration, with placeholders filled in.
record StaticValueWork(AllowedEnvironment environment, JsonNode value) implements ToolWork {

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    var secrets = new UsedSecrets();
    JsonNode found =
        secrets.redact(new PlaceholderFiller(environment, arguments, secrets).value(value));
    if (found instanceof ObjectNode object) {
      return new ToolResult.Done(object);
    }
    var result = Json.object();
    return new ToolResult.Done(found.isMissingNode() ? result : result.set("value", found));
  }
}
