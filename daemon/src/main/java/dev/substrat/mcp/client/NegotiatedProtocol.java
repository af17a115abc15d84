package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// Result of the negotiation with a server: revision, era, and capabilities of the server.
public record NegotiatedProtocol(String revision, boolean isModern, ObjectNode capabilities) {

  /// Whether it notifies tool list changes.
  boolean notifiesToolChanges() {
    return capabilities.path("tools").path("listChanged").asBoolean();
  }
}
