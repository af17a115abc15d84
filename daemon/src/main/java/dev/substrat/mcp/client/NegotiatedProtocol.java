package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.node.ObjectNode;

/// What we and a server agreed on: the revision, its era, and what the server can do.
public record NegotiatedProtocol(String revision, boolean isModern, ObjectNode capabilities) {

  /// Whether it says when its list of tools changes.
  boolean tellsOfTools() {
    return capabilities.path("tools").path("listChanged").asBoolean();
  }
}
