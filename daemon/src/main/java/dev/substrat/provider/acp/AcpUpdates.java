package dev.substrat.provider.acp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.agentcli.StreamedReply;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Converts ACP session updates into provider events. A text arrives in pieces and is complete when
/// another kind of update arrives.
final class AcpUpdates {
  /// The merged updates of each call.
  private final Map<String, ObjectNode> calls = new HashMap<>();

  private final StreamedReply saying = new StreamedReply();

  List<ProviderEvent> hear(JsonNode update) {
    return switch (update.path("sessionUpdate").asText()) {
      case "agent_message_chunk" -> List.of(saying.piece(update.at("/content/text").asText()));
      case "agent_thought_chunk" ->
          List.of(new ProviderEvent.Thinking(update.at("/content/text").asText()));
      case "tool_call" -> started(update);
      case "tool_call_update" -> changed(update);
      default -> List.of(new ProviderEvent.Unknown(Json.text(update)));
    };
  }

  private List<ProviderEvent> started(JsonNode update) {
    List<ProviderEvent> events = saying.end();
    String id = update.path("toolCallId").asText();
    calls.put(id, whole(update));
    events.add(
        new ProviderEvent.ToolStarted(id, update.path("title").asText(), update.path("rawInput")));
    return events;
  }

  private List<ProviderEvent> changed(JsonNode update) {
    String id = update.path("toolCallId").asText();
    String status = update.path("status").asText();
    ObjectNode call = whole(update);
    calls.put(id, call);
    boolean isOver = status.equals("completed") || status.equals("failed");
    return isOver
        ? List.of(
            new ProviderEvent.ToolFinished(
                id,
                call.path("title").asText(),
                status.equals("completed"),
                update.path("content").findValuesAsText("text").toString()))
        : List.of();
  }

  /// A call with all its updates: later ones contain only what is new.
  ObjectNode whole(JsonNode told) {
    ObjectNode known = calls.getOrDefault(told.path("toolCallId").asText(), Json.object());
    ObjectNode whole = known.deepCopy();
    told.properties().stream()
        .filter(one -> !one.getValue().isNull())
        .forEach(one -> whole.set(one.getKey(), one.getValue()));
    return whole;
  }

  /// What it has said last, if it has said something since anything else happened.
  List<ProviderEvent> saidSoFar() {
    return saying.end();
  }
}
