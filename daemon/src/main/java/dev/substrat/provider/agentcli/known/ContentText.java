package dev.substrat.provider.agentcli.known;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import java.util.ArrayList;

/// Extracts the text of JSON content.
final class ContentText {
  private ContentText() {}

  /// A text, the texts of a list, what an object has under `text`, `message` or `content`; anything
  /// else as it stands.
  static String text(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return "";
    }
    if (node.isValueNode()) {
      return node.asText();
    }
    if (node.isArray()) {
      var texts = new ArrayList<String>();
      node.forEach(one -> texts.add(text(one)));
      return String.join("\n", texts);
    }
    for (String key : new String[] {"text", "message", "content"}) {
      if (node.has(key)) {
        return text(node.path(key));
      }
    }
    return Json.text(node);
  }
}
