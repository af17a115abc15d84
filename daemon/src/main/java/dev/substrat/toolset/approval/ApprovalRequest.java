package dev.substrat.toolset.approval;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.ContentHash;
import dev.substrat.platform.json.Json;

/// Something a mind wants to do on its own, with none of the tools it was given, and asks for
/// first. `details` is everything else that makes it this wish and no other.
public record ApprovalRequest(String title, String kind, ObjectNode details) {

  /// The same for exactly the same wish, and for no other.
  String fingerprint() {
    return ContentHash.of(json());
  }

  /// As a person sees it, whole: nobody can allow what they cannot read.
  ObjectNode json() {
    var json = Json.object().put("action", title).put("kind", kind);
    json.set("details", details);
    return json;
  }
}
