package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.team.toolconfig.Environment;
import dev.substrat.team.toolconfig.Filling;
import dev.substrat.team.toolconfig.Secrets;
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
