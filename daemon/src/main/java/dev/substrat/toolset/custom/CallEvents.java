package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.store.Tx;
import dev.substrat.store.event.EventLog;
import dev.substrat.store.event.NewEvent;
import dev.substrat.tool.ToolCaller;
import org.jspecify.annotations.Nullable;

/// The events of one call in the log. With a space, people who see the space can read them; without
/// one they are about the agent and its run, which only the operator can read.
record CallEvents(
    EventLog events, @Nullable String space, ToolCaller caller, String callId, String tool) {

  void append(Tx tx, String kind, ObjectNode payload) {
    var event =
        NewEvent.of(kind)
            .about(caller.agent().id().value())
            .during(caller.run().value())
            .with("space", space)
            .with("agent", caller.agent().handle())
            .with("toolName", tool)
            .with("callId", callId);
    for (var entry : payload.properties()) {
      event = event.with(entry.getKey(), entry.getValue());
    }
    events.append(tx, space == null ? event : event.in(space));
  }

  /// An intermediate result.
  void appendProgress(Tx tx, ObjectNode status) {
    var payload = Json.object().put("preliminary", true);
    payload.set("output", status);
    append(tx, EventLog.TOOL_PROGRESS, payload);
  }
}
