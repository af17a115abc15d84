package dev.substrat.toolset.custom;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.tool.pending.PendingCall;
import dev.substrat.toolset.approval.ProviderApprovals;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A question to a person, independent of the user interface. `component` is the one the tool
/// wants; `schema` describes the answer and `values` its initial values, so a client that does not
/// know the component can show a plain form.
@JsonInclude(JsonInclude.Include.ALWAYS)
public record AnswerForm(
    String component, String title, String text, JsonNode schema, ObjectNode values) {

  /// Arguments in which an agent puts its text for the person.
  private static final List<String> WORDS =
      List.of("question", "message", "prompt", "text", "action", "summary", "title", "description");

  private static final Set<String> KNOWN =
      Set.of("confirmAction", "approval", "choice", "text", "form");

  /// Kinds of calls that ask a person: a tool in a space, or an approval request of a provider.
  private static final Set<String> FOR_PEOPLE = Set.of("space", ProviderApprovals.NAME);

  private static final Set<String> OF_THE_WHOLE =
      Set.of(
          "required",
          "additionalProperties",
          "unevaluatedProperties",
          "propertyNames",
          "minProperties",
          "maxProperties",
          "dependentRequired",
          "dependentSchemas",
          "allOf",
          "anyOf",
          "oneOf",
          "not",
          "if",
          "then",
          "else",
          "enum",
          "const",
          "$ref");

  private static final Set<String> NESTED = Set.of("object", "array", "null");

  public static AnswerForm of(PendingCall call) {
    return of(call.tool(), call.sight().display(), call.arguments());
  }

  /// Rejects a value that is not among those offered. Additional and missing fields are accepted
  /// over HTTP: the client may have asked in another form. Results of services and of custom
  /// components have no known schema.
  static void require(PendingCall call, ObjectNode answer) {
    AnswerForm form = of(call);
    if (isForPeople(call) && isKnown(form.component())) {
      JsonSchema.ofAnswer(form.ofEachValue()).require(answer);
    }
  }

  /// The schema without rules for the answer as a whole, but with its definitions.
  private ObjectNode ofEachValue() {
    ObjectNode each = schema.isObject() ? schema.deepCopy() : Json.object();
    String text = Json.text(schema);
    each.remove(OF_THE_WHOLE.stream().filter(key -> !text.contains("\"#/" + key + "/")).toList());
    return each;
  }

  /// Whether it waits for a person, and not for a service or a program.
  public static boolean isForPeople(PendingCall call) {
    return FOR_PEOPLE.contains(call.sight().display().path("executionType").asText());
  }

  /// Rejects an incomplete answer: the form shows all fields.
  public void require(JsonNode answer) {
    JsonSchema.ofAnswer(schema).require(answer);
  }

  /// `display` is the stored part of the tool's configuration.
  static AnswerForm of(String tool, ObjectNode display, ObjectNode arguments) {
    String component = display.path("component").asText("form");
    return new AnswerForm(
        component,
        display.path("title").asText(tool),
        text(display, arguments),
        schema(component, arguments, display.path("inputSchema")),
        component.equals("form") || !isKnown(component) ? arguments : Json.object());
  }

  /// True if it asks for nothing but single values.
  boolean isFlat() {
    JsonNode properties = schema.path("properties");
    for (JsonNode one : properties) {
      boolean isSingle =
          one.path("type").isTextual() && !NESTED.contains(one.path("type").asText());
      if (!isSingle && !one.has("enum")) {
        return false;
      }
    }
    return !properties.isEmpty();
  }

  private static boolean isKnown(String component) {
    return KNOWN.contains(component);
  }

  private static String text(ObjectNode display, ObjectNode arguments) {
    return WORDS.stream()
        .map(word -> arguments.path(word))
        .filter(JsonNode::isTextual)
        .map(JsonNode::asText)
        .findFirst()
        .orElse(display.path("description").asText(""));
  }

  private static JsonNode schema(String component, ObjectNode arguments, JsonNode input) {
    return switch (component) {
      case "confirmAction" -> object("confirmed", Json.object().put("type", "boolean"), null);
      case "approval" -> object("approved", Json.object().put("type", "boolean"), "comment");
      case "choice" -> object("choice", choices(arguments), null);
      case "text" -> object("text", Json.object().put("type", "string"), null);
      default -> input.isEmpty() ? Json.object().put("type", "object") : input;
    };
  }

  private static ObjectNode choices(ObjectNode arguments) {
    for (String key : List.of("options", "choices")) {
      JsonNode options = arguments.path(key);
      if (options.isArray() && !options.isEmpty()) {
        boolean isText = options.valueStream().allMatch(JsonNode::isTextual);
        ObjectNode schema = isText ? Json.object().put("type", "string") : Json.object();
        return schema.set("enum", options);
      }
    }
    return Json.object().put("type", "string");
  }

  private static ObjectNode object(String key, ObjectNode value, @Nullable String optionalText) {
    var schema = Json.object().put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    properties.set(key, value);
    if (optionalText != null) {
      properties.putObject(optionalText).put("type", "string");
    }
    schema.putArray("required").add(key);
    return schema;
  }
}
