package dev.substrat.cli.team;

import com.fasterxml.jackson.databind.JsonNode;

/// An existing agent of the daemon. The `parentId` of a root is empty.
record LiveAgent(String id, String handle, String name, String parentId, boolean spawned) {

  static LiveAgent of(JsonNode agent) {
    return new LiveAgent(
        agent.path("id").asText(),
        agent.path("handle").asText(),
        agent.path("name").asText(),
        agent.path("parentId").asText(""),
        agent.path("spawned").asBoolean());
  }

  boolean isRoot() {
    return parentId.isEmpty();
  }
}
