package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.fault.Fault;
import dev.substrat.json.Json;
import dev.substrat.protocol.ErrorCode;

/// What a tool says back to the agent that called it. Always at once: nothing in here waits.
public sealed interface ToolReply {

  /// The work is done and this is its result.
  record Done(ObjectNode result) implements ToolReply {}

  /// The work was refused or broke, and `hint` tells the agent what it may try instead.
  record Failed(ErrorCode code, String message, String hint) implements ToolReply {

    public static Failed because(Fault fault) {
      return new Failed(fault.code(), fault.message(), fault.hint());
    }

    /// How a failure looks to the agent.
    public ObjectNode json() {
      return Json.object()
          .put("error", true)
          .put("code", code.name())
          .put("message", message)
          .put("hint", hint);
    }
  }
}
