package dev.substrat.cli.pending;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.cli.wire.JsonTree;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What somebody typed as an answer, made into what the call's form asks for.
///
/// The daemon takes more and less than was asked, because programs may ask in words of their own.
/// Whoever types has the form in front of them, and an answer counts once: what lacks something, or
/// fits nowhere, is refused here, while it can still be corrected.
record TypedAnswer(JsonNode call) {
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

  /// The same object, if it has all that is required.
  JsonNode complete(JsonNode answer) {
    List<String> missing = required().stream().filter(key -> !answer.hasNonNull(key)).toList();
    if (isAsked() && !missing.isEmpty()) {
      throw refusal("the answer lacks " + String.join(", ", missing));
    }
    return answer;
  }

  /// Nothing was typed, and nobody can be asked.
  Fault missing() {
    String what = "no result was given, and nobody is there to ask";
    return isAsked()
        ? refusal(what)
        : new Fault(
            ErrorCode.INVALID_ARGUMENTS,
            what,
            "give one as JSON, or --decline; ./substrat pending show %s says what it wants"
                .formatted(call.path("callId").asText()));
  }

  /// What a service or a component of somebody's own gives back, the form does not say; and about a
  /// call that is over, the daemon has its own word.
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

  /// Where a single value belongs: the only key that is required, else the only one there is.
  private String key(String typed) {
    List<String> wanted = required();
    List<String> keys = wanted.isEmpty() ? names().toList() : wanted;
    if (keys.size() != 1) {
      throw refusal("'%s' alone is not what this call asks for".formatted(typed));
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
      throw refusal("'%s' is no answer to this call".formatted(typed));
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
    return new Fault(
        ErrorCode.INVALID_ARGUMENTS,
        what,
        "%sgive '%s', for instance; ./substrat pending show %s says what it wants"
            .formatted(words(), JsonTree.text(example()), call.path("callId").asText()));
  }

  /// What can be said in a word, if something can.
  private String words() {
    List<String> wanted = required().isEmpty() ? names().toList() : required();
    JsonNode schema = wanted.size() == 1 ? properties().path(wanted.getFirst()) : JsonTree.object();
    if (schema.has("enum")) {
      return schema
              .path("enum")
              .valueStream()
              .map(JsonNode::asText)
              .collect(Collectors.joining(", "))
          + ": say one of these; or ";
    }
    return schema.path("type").asText().equals("boolean") ? "say yes or no; or " : "";
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
