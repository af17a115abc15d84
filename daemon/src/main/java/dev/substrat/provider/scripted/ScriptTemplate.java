package dev.substrat.provider.scripted;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills placeholders such as `{{event.text}}` in a playbook.
///
/// A string that is exactly one placeholder becomes the value with its type; otherwise the value's
/// text is inserted. Unknown placeholders become empty.
record ScriptTemplate(ObjectNode known) {

  static final Pattern PLACE = Pattern.compile("\\{\\{\\s*([\\w.-]+)\\s*}}");

  String text(String template) {
    return PLACE
        .matcher(template)
        .replaceAll(match -> Matcher.quoteReplacement(asText(lookUp(match.group(1)))));
  }

  ObjectNode object(ObjectNode template) {
    var filled = Json.object();
    template.properties().forEach(entry -> filled.set(entry.getKey(), value(entry.getValue())));
    return filled;
  }

  private JsonNode value(JsonNode template) {
    if (template instanceof ObjectNode object) {
      return object(object);
    }
    if (template.isArray()) {
      var items = Json.object().putArray("items");
      template.forEach(item -> items.add(value(item)));
      return items;
    }
    return template.isTextual() ? typed(template.asText()) : template;
  }

  private JsonNode typed(String template) {
    var whole = PLACE.matcher(template);
    return whole.matches() ? lookUp(whole.group(1)) : new TextNode(text(template));
  }

  private JsonNode lookUp(String path) {
    JsonNode node = known;
    for (String step : path.split("\\.")) {
      node = node.path(step);
    }
    return node.isMissingNode() ? new TextNode("") : node;
  }

  private static String asText(JsonNode node) {
    return node.isValueNode() ? node.asText() : Json.text(node);
  }
}
