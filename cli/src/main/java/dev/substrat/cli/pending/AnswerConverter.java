package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.cli.client.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Converts a typed answer into the format that the call's form expects.
///
/// The daemon does not validate answers against the form, because programs may define forms of
/// their own. An answer is final, so an incomplete or unfitting one is rejected here, where the
/// user can correct it.
record AnswerConverter(JsonNode call) {
  private static final Set<String> KNOWN =
      Set.of("confirmAction", "approval", "choice", "text", "form");
  private static final Set<String> YES = Set.of("yes", "y", "true");
  private static final Set<String> NO = Set.of("no", "n", "false");

  JsonNode of(String typed) {
    JsonNode value = AnswerPrompt.read(typed);
    if (!isAsked()) {
      return value;
    }
    return value.isObject()
        ? complete(value)
        : JsonTree.object().set(key(typed), fit(typed, value));
  }

  /// The same object, if it has all required fields.
  JsonNode complete(JsonNode answer) {
    List<String> missing = required().stream().filter(key -> !answer.hasNonNull(key)).toList();
    if (isAsked() && !missing.isEmpty()) {
      throw refusal("the answer has no " + String.join(", ", missing));
    }
    return answer;
  }

  /// No result was typed, and there is no terminal to ask.
  Fault missing() {
    String what = "RESULT is missing, and there is no terminal to prompt for it";
    return isAsked()
        ? refusal(what)
        : ErrorCode.INVALID_ARGUMENTS.fault(
            what,
            "pass RESULT as JSON, or use --decline; show the expected answer: ./substrat pending show %s"
                .formatted(call.path("callId").asText()));
  }

  /// True if the form defines the answer: not for services, custom components and resolved calls.
  private boolean isAsked() {
    return !call.path("forService").asBoolean()
        && !call.hasNonNull("outcome")
        && KNOWN.contains(form().path("component").asText())
        && !properties().isEmpty();
  }

  private JsonNode form() {
    return call.path("form");
  }

  private JsonNode properties() {
    return form().at("/schema/properties");
  }

  private List<String> required() {
    return form().at("/schema/required").valueStream().map(JsonNode::asText).toList();
  }

  /// The key of a single value: the only required key, else the only key.
  private String key(String typed) {
    List<String> wanted = required();
    List<String> keys = wanted.isEmpty() ? names().toList() : wanted;
    if (keys.size() != 1) {
      throw refusal("'%s' is not enough: this call needs more than one value".formatted(typed));
    }
    return keys.getFirst();
  }

  private Stream<String> names() {
    return properties().propertyStream().map(property -> property.getKey());
  }

  private JsonNode fit(String typed, JsonNode value) {
    JsonNode schema = properties().path(key(typed));
    Optional<? extends JsonNode> fitting =
        schema.has("enum")
            ? schema.path("enum").valueStream().filter(one -> isSame(one, typed, value)).findFirst()
            : switch (schema.path("type").asText()) {
              case "boolean" -> yesOrNo(typed);
              case "string" -> Optional.of(value.isTextual() ? value : new TextNode(typed));
              case "integer" -> Optional.of(value).filter(JsonNode::isIntegralNumber);
              case "number" -> Optional.of(value).filter(JsonNode::isNumber);
              case "array" -> Optional.of(value).filter(JsonNode::isArray);
              case "object" -> Optional.<JsonNode>empty();
              default -> Optional.of(value);
            };
    if (fitting.isEmpty()) {
      throw refusal("'%s' is not a valid answer to this call".formatted(typed));
    }
    return fitting.get();
  }

  private static boolean isSame(JsonNode option, String typed, JsonNode value) {
    return option.equals(value) || (option.isTextual() && option.asText().equals(typed));
  }

  private static Optional<BooleanNode> yesOrNo(String typed) {
    String word = typed.strip().toLowerCase(Locale.ROOT);
    return YES.contains(word) || NO.contains(word)
        ? Optional.of(BooleanNode.valueOf(YES.contains(word)))
        : Optional.empty();
  }

  private Fault refusal(String what) {
    return ErrorCode.INVALID_ARGUMENTS.fault(
        what,
        "%suse JSON such as '%s'; show the expected answer: ./substrat pending show %s"
            .formatted(words(), JsonTree.text(example()), call.path("callId").asText()));
  }

  /// Hint about one-word answers, if there are any.
  private String words() {
    List<String> wanted = required().isEmpty() ? names().toList() : required();
    JsonNode schema = wanted.size() == 1 ? properties().path(wanted.getFirst()) : JsonTree.object();
    if (schema.has("enum")) {
      return JsonTree.words(schema.path("enum")) + ": use one of these; or ";
    }
    return schema.path("type").asText().equals("boolean") ? "use yes or no; or " : "";
  }

  private ObjectNode example() {
    ObjectNode example = JsonTree.object();
    List<String> wanted = required().isEmpty() ? names().toList() : required();
    wanted.forEach(key -> example.set(key, sample(properties().path(key))));
    return example;
  }

  private static JsonNode sample(JsonNode schema) {
    if (schema.path("enum").has(0)) {
      return schema.path("enum").path(0);
    }
    return switch (schema.path("type").asText()) {
      case "boolean" -> BooleanNode.TRUE;
      case "integer", "number" -> JsonTree.object().put("one", 1).path("one");
      case "array" -> JsonTree.object().putArray("none");
      case "object" -> JsonTree.object();
      default -> new TextNode("…");
    };
  }
}
