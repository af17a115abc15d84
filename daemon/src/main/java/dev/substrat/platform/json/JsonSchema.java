package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.Truncation;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// JSON Schema (2020-12) and the validation of JSON against it.
///
/// Compiled on first use and then kept: a daemon never needs most of its schemas. Safe for many
/// threads; two concurrent first uses may both compile, with the same result.
public final class JsonSchema {
  /// One registry without a loader for foreign addresses: a `$ref` never leaves the schema.
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

  /// The same where formats count.
  private static final SchemaRegistry OF_ANSWERS =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12,
          builder ->
              builder.schemaRegistryConfig(
                  SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));

  private static final int MAX_PROBLEMS_IN_MESSAGE = 4;

  /// Maximum length of one pointer or problem in a message.
  private static final int MAX_LENGTH = 300;

  private final JsonNode json;
  private final @Nullable SchemaRegistry registry;
  private volatile com.networknt.schema.@Nullable Schema compiled;

  private JsonSchema(JsonNode json) {
    this(json, REGISTRY);
  }

  /// Without a registry nothing is checked.
  private JsonSchema(JsonNode json, @Nullable SchemaRegistry registry) {
    this.json = json;
    this.registry = registry;
  }

  public static JsonSchema of(JsonNode json) {
    return new JsonSchema(json);
  }

  /// Schema of a remote server, only displayed: it is not enforced here, because it may have
  /// patterns that never end, and references to any URL.
  public static JsonSchema displayOnly(JsonNode json) {
    return new JsonSchema(json, null);
  }

  /// Schema of a form that people fill in: formats such as date are enforced. For programs they are
  /// not, because authors of schemas use them as annotations.
  public static JsonSchema ofAnswer(JsonNode json) {
    return new JsonSchema(json, OF_ANSWERS);
  }

  /// The schema a record implies: its components are the keys, `@Nullable` ones may be missing, and
  /// nothing else is allowed.
  public static JsonSchema ofRecord(Class<? extends Record> type) {
    return new JsonSchema(RecordSchema.INPUT.of(type));
  }

  /// Schema of a tool's result: this record, where `@Nullable` components may be missing or null,
  /// or the failure that every tool can return.
  public static JsonSchema ofResult(Class<? extends Record> shape) {
    return new JsonSchema(resultOf(List.of(shape)));
  }

  /// The same for a tool whose results have two shapes.
  public static JsonSchema ofResult(Class<? extends Record> shape, Class<? extends Record> other) {
    return new JsonSchema(resultOf(List.of(shape, other)));
  }

  /// Schema of a value that matches one of these results.
  public static JsonSchema ofAny(List<JsonSchema> results) {
    return new JsonSchema(anyOf(results));
  }

  public JsonNode json() {
    return json;
  }

  /// Returns if `value` is valid; otherwise the fault lists the first 20 violations and the number
  /// of others.
  public void require(JsonNode value) {
    require(value, _ -> true);
  }

  /// The same for a value with placeholders (`place`): reports what is certain before they are
  /// filled.
  public void require(JsonNode value, Pattern place) {
    var outline = new PlaceholderValidation(value, place);
    require(value, outline::isCertain);
  }

  private void require(JsonNode value, Predicate<Error> counts) {
    if (registry == null) {
      return;
    }
    var errors =
        new BoundedErrors(error -> !SchemaViolation.isNone(error, json) && counts.test(error));
    validate(registry, value, errors);
    List<Problem.ProblemDetail> wrong =
        errors.kept().stream().map(error -> SchemaViolation.of(error, json)).toList();
    if (!wrong.isEmpty()) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          words(wrong, errors.more()),
          "correct the listed %s and retry".formatted(wrong.size() == 1 ? "value" : "values"),
          wrong);
    }
  }

  private void validate(SchemaRegistry registry, JsonNode value, BoundedErrors errors) {
    Consumer<ExecutionContext> collect = context -> context.setErrors(errors);
    try {
      compiled(registry).validate(value, collect);
    } catch (StackOverflowError e) {
      throw new IllegalStateException("the schema has an infinite $ref cycle", e);
    }
  }

  /// Why the schema is unusable, if it is: an invalid pattern, or a reference without a target.
  /// Some defects show only with a value at that path.
  public Optional<SchemaDefect> findDefect() {
    return registry == null ? Optional.empty() : SchemaDefect.find(json, registry);
  }

  /// The first few are part of the message, because not every client shows the details.
  private static String words(List<Problem.ProblemDetail> wrong, int uncollected) {
    String few =
        wrong.stream()
            .limit(MAX_PROBLEMS_IN_MESSAGE)
            .map(one ->
                Truncation.of(one.pointer().isEmpty() ? "the value" : one.pointer(), MAX_LENGTH)
                    + " "
                    + Truncation.of(one.message(), MAX_LENGTH))
            .collect(Collectors.joining("; "));
    int more = wrong.size() - MAX_PROBLEMS_IN_MESSAGE;
    if (uncollected > 0) {
      return "%s; and %d more in details, and %s more that are not listed"
          .formatted(few, more, Truncation.grouped(uncollected));
    }
    return more > 0 ? few + "; and " + more + " more" : few;
  }

  private com.networknt.schema.Schema compiled(SchemaRegistry registry) {
    var ready = compiled;
    if (ready == null) {
      ready = registry.getSchema(json);
      compiled = ready;
    }
    return ready;
  }

  /// Derives the output schema of a tool from its result records.
  ///
  /// Failures are part of the schema: the most common MCP client validates them, too, and would
  /// otherwise replace our error by a schema violation.
  private static ObjectNode resultOf(List<Class<? extends Record>> shapes) {
    var schema = Json.object().put("type", "object");
    var properties = schema.putObject("properties");
    var forms = schema.putArray("anyOf");
    for (Class<? extends Record> shape : shapes) {
      ObjectNode own = RecordSchema.RESULT.of(shape);
      properties.setAll((ObjectNode) own.path("properties"));
      forms.addObject().set("required", own.withArrayProperty("required"));
    }
    forms.add(failure());
    return schema;
  }

  /// Union of these schemas.
  private static ObjectNode anyOf(List<JsonSchema> results) {
    var schema = Json.object().put("type", "object");
    var properties = schema.putObject("properties");
    var forms = new LinkedHashSet<JsonNode>();
    for (JsonSchema result : results) {
      properties.setAll((ObjectNode) result.json().path("properties"));
      result.json().path("anyOf").forEach(forms::add);
    }
    schema.putArray("anyOf").addAll(forms);
    return schema;
  }

  private static ObjectNode failure() {
    var failure = Json.object();
    var properties = failure.putObject("properties");
    properties.putObject("error").put("const", true);
    properties.putObject("code").put("type", "string");
    properties.putObject("message").put("type", "string");
    failure.putArray("required").add("error").add("code").add("message");
    return failure;
  }

  /// List of validation errors that keeps the first 20 relevant ones and only counts the rest.
  ///
  /// The validator compares sizes of this list to see whether a part of the schema was violated, so
  /// its size is the number of errors that were added, not of those that were kept.
  private static final class BoundedErrors extends AbstractList<Error> {
    private final Predicate<Error> counts;
    private final List<Error> kept = new ArrayList<>();
    private int added;
    private int more;

    BoundedErrors(Predicate<Error> counts) {
      this.counts = counts;
    }

    @Override
    public boolean add(Error error) {
      added++;
      if (counts.test(error)) {
        if (kept.size() < Fault.MAX_DETAILS) {
          kept.add(error);
        } else {
          more++;
        }
      }
      return true;
    }

    @Override
    public Error get(int index) {
      return kept.get(index);
    }

    @Override
    public int size() {
      return added;
    }

    List<Error> kept() {
      return kept;
    }

    /// Number of errors that count and were not kept.
    int more() {
      return more;
    }
  }

  /// Validation of a JSON value that still contains placeholders: reports only problems that exist
  /// for every possible value of them.
  ///
  /// A text that is exactly one placeholder can become any value; any other text with placeholders
  /// stays a text of unknown content.
  private static final class PlaceholderValidation {
    /// Rules that do not depend on the contents of an object or a list.
    private static final Set<String> OF_SHAPE = Set.of("type", "required", "additionalProperties");

    /// Keywords with which one part of a schema decides whether another applies.
    private static final Set<String> BRANCHES =
        Set.of("anyOf", "oneOf", "not", "if", "then", "else", "contains", "dependentSchemas");

    private final Pattern place;
    private final boolean isOpen;

    PlaceholderValidation(JsonNode value, Pattern place) {
      this.place = place;
      this.isOpen = hasPlace(value);
    }

    boolean isCertain(Error error) {
      JsonNode found = error.getInstanceNode();
      if (!isOpen || found == null) {
        return true;
      }
      if (isBranched(error) || (found.isTextual() && place.matcher(found.asText()).matches())) {
        return false;
      }
      return OF_SHAPE.contains(error.getKeyword()) || !hasPlace(found);
    }

    private static boolean isBranched(Error error) {
      for (String step : error.getEvaluationPath().toString().split("/")) {
        if (BRANCHES.contains(step)) {
          return true;
        }
      }
      return false;
    }

    private boolean hasPlace(JsonNode value) {
      if (value.isTextual()) {
        return place.matcher(value.asText()).find();
      }
      for (JsonNode inner : value) {
        if (hasPlace(inner)) {
          return true;
        }
      }
      return false;
    }
  }
}
