package dev.substrat.platform.json;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Derives a JSON Schema from a record, so documentation, validation and parsing cannot differ.
enum RecordSchema {
  /// For input: optional values are omitted.
  INPUT,
  /// For results: optional values may also be null.
  RESULT;

  ObjectNode of(Class<? extends Record> type) {
    var schema = Json.object().put("type", "object");
    var properties = schema.putObject("properties");
    var required = Json.object().putArray("required");
    for (RecordComponent component : type.getRecordComponents()) {
      ObjectNode property = of(component.getGenericType());
      describe(component, property);
      bound(component, property);
      choose(component, property);
      fallBack(component, property);
      widen(component, property);
      properties.set(name(component), property);
      if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
        required.add(name(component));
      } else if (isNullAllowed(component) && property.path("type").isTextual()) {
        String word = property.path("type").textValue();
        property.putArray("type").add(word).add("null");
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return schema.put("additionalProperties", false);
  }

  private ObjectNode of(Type type) {
    if (type instanceof ParameterizedType generic) {
      return container(generic);
    }
    var plain = (Class<?>) type;
    if (plain.isRecord()) {
      return of(plain.asSubclass(Record.class));
    }
    if (plain.isEnum()) {
      return choice(plain);
    }
    return plain == JsonNode.class ? Json.object() : Json.object().put("type", word(plain));
  }

  private ObjectNode container(ParameterizedType type) {
    Type last = type.getActualTypeArguments()[type.getActualTypeArguments().length - 1];
    if (type.getRawType() == List.class) {
      return Json.object().put("type", "array").set("items", of(last));
    }
    if (type.getRawType() == Map.class) {
      return Json.object().put("type", "object").set("additionalProperties", of(last));
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  private static ObjectNode choice(Class<?> type) {
    var schema = Json.object().put("type", "string");
    var values = schema.putArray("enum");
    Arrays.stream(type.getEnumConstants()).map(Object::toString).forEach(values::add);
    return schema;
  }

  private static String word(Class<?> type) {
    if (type == String.class || type == Instant.class) {
      return "string";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "boolean";
    }
    if (type == int.class || type == long.class || type == Integer.class || type == Long.class) {
      return "integer";
    }
    if (type == double.class || type == Double.class) {
      return "number";
    }
    if (type == ObjectNode.class) {
      return "object";
    }
    throw new IllegalArgumentException("no schema for " + type);
  }

  private static void describe(RecordComponent component, ObjectNode property) {
    var description = component.getAccessor().getAnnotation(JsonPropertyDescription.class);
    if (description != null) {
      property.put("description", description.value());
    }
  }

  private static void bound(RecordComponent component, ObjectNode property) {
    var least = component.getAccessor().getAnnotation(Minimum.class);
    if (least != null && least.value() == Math.rint(least.value())) {
      property.put("minimum", (long) least.value());
    } else if (least != null) {
      property.put("minimum", BigDecimal.valueOf(least.value()));
    }
  }

  private static void choose(RecordComponent component, ObjectNode property) {
    var values = component.getAccessor().getAnnotation(AllowedValues.class);
    if (values != null) {
      var choices = property.putArray("enum");
      Arrays.stream(values.value()).forEach(choices::add);
    }
  }

  /// The default is written as JSON, except for a text.
  private static void fallBack(RecordComponent component, ObjectNode property) {
    var known = component.getAccessor().getAnnotation(JsonProperty.class);
    if (known != null && !known.defaultValue().isEmpty()) {
      String value = known.defaultValue();
      property.set(
          "default", component.getType() == String.class ? Json.tree(value) : Json.own(value));
    }
  }

  private boolean isNullAllowed(RecordComponent component) {
    return this == RESULT || component.getAccessor().isAnnotationPresent(NullableKey.class);
  }

  private static void widen(RecordComponent component, ObjectNode property) {
    if (component.getAccessor().isAnnotationPresent(OffKeyword.class)) {
      property.remove("type");
      property.setAll(OffKeyword.OffKeywordSchema.schema());
    }
  }

  /// The accessor carries the annotation: Jackson's targets do not include record components.
  private static String name(RecordComponent component) {
    var renamed = component.getAccessor().getAnnotation(JsonProperty.class);
    return renamed == null || renamed.value().isEmpty() ? component.getName() : renamed.value();
  }
}
