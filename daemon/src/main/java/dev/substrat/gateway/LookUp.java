package dev.substrat.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.capability.Environment;
import dev.substrat.capability.Filling;
import dev.substrat.capability.Secrets;
import dev.substrat.json.Json;
import dev.substrat.tool.Call;
import dev.substrat.tool.ToolReply;

/// The work of a tool that knows its answer: what its configuration says, filled in.
record LookUp(Environment environment, JsonNode value) implements Work {

  @Override
  public ToolReply run(Call call, ObjectNode arguments) {
    var secrets = new Secrets();
    JsonNode found = secrets.hide(new Filling(environment, arguments, secrets).value(value));
    if (found instanceof ObjectNode object) {
      return new ToolReply.Done(object);
    }
    var result = Json.object();
    return new ToolReply.Done(found.isMissingNode() ? result : result.set("value", found));
  }
}
