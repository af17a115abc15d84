package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Validation of placeholders in what is sent to services. An unknown `{{…}}` is rejected. A `${…}`
/// that would be sent literally, and an argument that the schema does not declare, are reported as
/// warnings.
final class PlaceholderRules {
  private static final Pattern BRACES =
      Pattern.compile("\\{\\{\\s*(?<root>[A-Za-z_$][^\\s.{}]*)[^{}]*}}");

  private static final Pattern DOLLAR =
      Pattern.compile("\\$\\{\\s*(?:[A-Za-z_]+[.:])?(?<name>[A-Za-z_][A-Za-z0-9_]*)[^{}]*}");

  /// Keys in which arguments are filled in.
  private static final List<String> FILLED =
      List.of("url", "webhookUrl", "headers", "queryParams", "body");

  /// Keys that are sent to a service.
  private static final List<String> SENT =
      Stream.concat(FILLED.stream(), Stream.of("baseUrl", "apiKey")).toList();

  /// The same of a server; a program's arguments are its own business.
  private static final List<String> SENT_TO_SERVER = List.of("url", "headers", "env");

  /// With these keywords, a schema allows more arguments than it names.
  private static final List<String> OPEN =
      List.of(
          "$ref",
          "$dynamicRef",
          "allOf",
          "anyOf",
          "oneOf",
          "if",
          "dependentSchemas",
          "patternProperties",
          "unevaluatedProperties");

  private PlaceholderRules() {}

  static void require(String place, CustomToolConfig tool) {
    JsonNode all = Json.tree(tool.executionOrNone());
    FILLED.forEach(key -> visit(all.path(key), place + "/" + key, PlaceholderRules::requireOurs));
  }

  static List<String> warnings(String place, CustomToolConfig tool) {
    JsonNode all = Json.tree(tool.executionOrNone());
    var warnings = new ArrayList<String>();
    SENT.forEach(key ->
        visit(all.path(key), place + "/" + key, (text, at) -> warnings.addAll(unfilled(text, at))));
    declared(tool.inputSchema())
        .ifPresent(names ->
            Stream.concat(FILLED.stream(), Stream.of("value"))
                .forEach(key ->
                    visit(
                        all.path(key),
                        place + "/" + key,
                        (text, at) -> warnings.addAll(undeclared(text, at, names)))));
    return List.copyOf(warnings);
  }

  static List<String> warnings(String place, McpServerConfig server) {
    JsonNode all = Json.tree(server);
    var warnings = new ArrayList<String>();
    SENT_TO_SERVER.forEach(key ->
        visit(all.path(key), place + "/" + key, (text, at) -> warnings.addAll(unfilled(text, at))));
    visit(all.path("args"), place + "/args", (text, at) -> warnings.addAll(inArguments(text, at)));
    return List.copyOf(warnings);
  }

  /// Checks one text and its pointer.
  private interface SyntaxCheck {
    void at(String text, String place);
  }

  private static void visit(JsonNode value, String place, SyntaxCheck syntax) {
    if (value.isTextual()) {
      syntax.at(value.asText(), place);
    } else if (value.isArray()) {
      value.forEach(item -> visit(item, place, syntax));
    } else {
      for (Map.Entry<String, JsonNode> entry : value.properties()) {
        visit(entry.getValue(), place + "/" + entry.getKey(), syntax);
      }
    }
  }

  private static void requireOurs(String text, String place) {
    Matcher found = BRACES.matcher(text);
    while (found.find()) {
      if (!PlaceholderFiller.PLACE.matcher(found.group()).matches()) {
        throw ErrorCode.INVALID_CONFIG.fault(
            "%s has an unknown placeholder: %s".formatted(place, found.group()),
            SpellingSuggestion.suggestion(found.group("root"), List.of("input"))
                + "use {{input.NAME}} for an argument, ${env.NAME} for a secret");
      }
    }
  }

  private static List<String> unfilled(String text, String place) {
    return DOLLAR
        .matcher(text)
        .results()
        .filter(found -> !PlaceholderFiller.PLACE.matcher(found.group()).matches())
        .map(found ->
            "%s contains %s, which is sent literally; did you mean ${env.%s}?"
                .formatted(place, found.group(), found.group("name")))
        .toList();
  }

  /// A program is started with exactly the arguments that a person has approved.
  private static List<String> inArguments(String text, String place) {
    return PlaceholderFiller.PLACE
        .matcher(text)
        .results()
        .filter(found -> found.group("env") != null)
        .map(found ->
            "%s contains %s, which is not replaced in arguments; pass the value as an environment variable: env: { %s: \"%s\" }"
                .formatted(place, found.group(), found.group("env"), found.group()))
        .toList();
  }

  private static List<String> undeclared(String text, String place, List<String> names) {
    return PlaceholderFiller.inputs(text).stream()
        .map(input -> input.split("\\.", 3))
        .filter(path -> path.length > 1 && !names.contains(path[1]))
        .map(path ->
            "%s reads {{input.%s}}, but the inputSchema does not declare %s%s"
                .formatted(
                    place, path[1], path[1], SpellingSuggestion.suggestionSuffix(path[1], names)))
        .toList();
  }

  /// The arguments that a tool takes, if its schema names them all.
  private static Optional<List<String>> declared(@Nullable JsonNode schema) {
    if (schema == null
        || !schema.path("properties").isObject()
        || schema.path("additionalProperties").asBoolean(false)
        || schema.path("additionalProperties").isObject()
        || OPEN.stream().anyMatch(schema::has)) {
      return Optional.empty();
    }
    var names = new ArrayList<String>();
    schema.path("properties").fieldNames().forEachRemaining(names::add);
    return Optional.of(names);
  }
}
