package dev.substrat.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.event.EventLog;
import dev.substrat.event.NewEvent;
import dev.substrat.store.Tx;
import dev.substrat.tool.Caller;

/// Tells a space about one call.
record SpaceVoice(EventLog events, String space, Caller caller, String callId, String tool) {

  void tell(Tx tx, String kind, ObjectNode payload) {
    var event =
        NewEvent.of(kind)
            .in(space)
            .about(caller.agent().id().value())
            .during(caller.run().value())
            .with("space", space)
            .with("agent", caller.agent().handle())
            .with("toolName", tool)
            .with("callId", callId);
    for (var entry : payload.properties()) {
      event = event.with(entry.getKey(), entry.getValue());
    }
    events.append(tx, event);
  }
}
