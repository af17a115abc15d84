package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Fills `${env.NAME}` and `{{input.a.b}}` into a configuration, for one call.
///
/// All placeholders are replaced in one pass: inserted values are never searched for placeholders.
/// A string that is exactly one `{{input…}}` becomes the value with its type; otherwise its text is
/// inserted. An object's key whose value is not in the input is omitted.
public final class PlaceholderFiller {
  static final Pattern PLACE =
      Pattern.compile(
          "\\$\\{env\\.(?<env>[A-Za-z_][A-Za-z0-9_]*)}"
              + "|\\{\\{\\s*input(?<path>(?:\\.[^\\s.{}]+)*)\\s*}}");

  private final AllowedEnvironment environment;
  private final ObjectNode input;
  private final UsedSecrets secrets;

  public PlaceholderFiller(AllowedEnvironment environment, ObjectNode input, UsedSecrets secrets) {
    this.environment = environment;
    this.input = input;
    this.secrets = secrets;
  }

  /// Text with everything inserted as it is.
  public String text(String template) {
    return text(template, UnaryOperator.identity(), UnaryOperator.identity());
  }

  /// Named texts, such as headers, without texts that consist only of a missing input.
  public Map<String, String> texts(Map<String, String> templates) {
    var texts = new LinkedHashMap<String, String>();
    templates.forEach((name, template) -> {
      JsonNode value = typed(template);
      if (!value.isMissingNode()) {
        texts.put(name, asText(value));
      }
    });
    return texts;
  }

  /// Text with values of the environment and of the input transformed before they are inserted.
  String text(String template, UnaryOperator<String> ofEnv, UnaryOperator<String> ofInput) {
    return PLACE
        .matcher(template)
        .replaceAll(match ->
            Matcher.quoteReplacement(
                match.group("env") == null
                    ? ofInput.apply(asText(lookUp(match.group("path"))))
                    : ofEnv.apply(env(match.group("env")))));
  }

  /// Names of all secrets used in a value.
  static List<String> secrets(JsonNode template) {
    return PLACE
        .matcher(Json.text(template))
        .results()
        .map(place -> place.group("env"))
        .filter(Objects::nonNull)
        .distinct()
        .toList();
  }

  /// Names of the inputs in a template.
  static List<String> inputs(String template) {
    return PLACE
        .matcher(template)
        .results()
        .filter(place -> place.group("env") == null)
        .map(place -> "input" + place.group("path"))
        .toList();
  }

  /// A value of any shape; missing if it is nothing but a place that the input does not have.
  public JsonNode value(JsonNode template) {
    if (template instanceof ObjectNode object) {
      var filled = Json.object();
      object
          .properties()
          .forEach(entry -> {
            JsonNode value = value(entry.getValue());
            if (!value.isMissingNode()) {
              filled.set(entry.getKey(), value);
            }
          });
      return filled;
    }
    if (template.isArray()) {
      var items = Json.object().putArray("items");
      for (JsonNode item : template) {
        JsonNode value = value(item);
        if (!value.isMissingNode()) {
          items.add(value);
        }
      }
      return items;
    }
    return template.isTextual() ? typed(template.asText()) : template;
  }

  private JsonNode typed(String template) {
    Matcher whole = PLACE.matcher(template);
    return whole.matches() && whole.group("env") == null
        ? lookUp(whole.group("path"))
        : new TextNode(text(template));
  }

  private JsonNode lookUp(String path) {
    JsonNode node = input;
    for (String step : path.isEmpty() ? new String[0] : path.substring(1).split("\\.")) {
      node = node.isArray() && isNumber(step) ? node.path(Integer.parseInt(step)) : node.path(step);
    }
    return node.isNull() ? MissingNode.getInstance() : node;
  }

  /// Short enough to be an index at all.
  private static boolean isNumber(String step) {
    return step.length() < 7 && step.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  private String env(String name) {
    String value = environment.require(name);
    secrets.add(value);
    return value;
  }

  static String asText(JsonNode node) {
    if (node.isMissingNode()) {
      return "";
    }
    return node.isValueNode() ? node.asText() : Json.text(node);
  }
}
