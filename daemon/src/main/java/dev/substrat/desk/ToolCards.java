package dev.substrat.desk;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.rpc.MirroredArguments;
import dev.substrat.tool.Described;
import dev.substrat.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Tools as MCP describes them. A tool does not change, so neither does its card.
final class ToolCards {
  private final Map<Described, ObjectNode> cards = new ConcurrentHashMap<>();
  private final Map<Tool, MirroredArguments> mirrored = new ConcurrentHashMap<>();

  List<ObjectNode> of(List<? extends Described> tools) {
    return tools.stream().map(tool -> cards.computeIfAbsent(tool, ToolCards::card)).toList();
  }

  MirroredArguments mirrored(Tool tool) {
    return mirrored.computeIfAbsent(tool, one -> MirroredArguments.of(one.input().json()));
  }

  private static ObjectNode card(Described tool) {
    var card = Json.object().put("name", tool.name()).put("title", tool.title());
    card.put("description", tool.description());
    card.set("inputSchema", tool.input().json());
    card.set("outputSchema", tool.output().json());
    card.putObject("annotations")
        .put("readOnlyHint", tool.effect().isReadOnly())
        .put("destructiveHint", tool.effect().isDestructive())
        .put("idempotentHint", tool.effect().isIdempotent())
        .put("openWorldHint", tool.isOpenWorld());
    return card;
  }
}
