package dev.substrat.toolset.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;

/// Request of a provider to approve an action of its own tools. `details` identifies the action
/// exactly.
public record ApprovalRequest(String title, String kind, ObjectNode details) {

  /// Hash that is the same only for exactly the same request.
  String fingerprint() {
    return ContentHash.of(json());
  }

  /// Shown to the person completely: an approval must not cover hidden text.
  ObjectNode json() {
    var json = Json.object().put("action", title).put("kind", kind);
    json.set("details", details);
    return json;
  }
}
