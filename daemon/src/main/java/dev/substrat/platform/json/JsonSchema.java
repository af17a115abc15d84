package dev.substrat.platform.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Problem;
import dev.substrat.protocol.Truncation;
import java.util.List;
import java.util.Optional;
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

  private static final int MOST_IN_A_MESSAGE = 4;

  /// Maximum length of one pointer or problem in a message.
  private static final int LONGEST = 300;

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
    return new JsonSchema(ResultSchema.of(List.of(shape)));
  }

  /// The same for a tool whose results have two shapes.
  public static JsonSchema ofResult(Class<? extends Record> shape, Class<? extends Record> other) {
    return new JsonSchema(ResultSchema.of(List.of(shape, other)));
  }

  /// Schema of a value that matches one of these results.
  public static JsonSchema ofAny(List<JsonSchema> results) {
    return new JsonSchema(ResultSchema.any(results));
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
    List<Problem.Detail> wrong =
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
  private static String words(List<Problem.Detail> wrong, int uncollected) {
    String few =
        wrong.stream()
            .limit(MOST_IN_A_MESSAGE)
            .map(one ->
                Truncation.of(one.pointer().isEmpty() ? "the value" : one.pointer(), LONGEST)
                    + " "
                    + Truncation.of(one.message(), LONGEST))
            .collect(Collectors.joining("; "));
    int more = wrong.size() - MOST_IN_A_MESSAGE;
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
}
