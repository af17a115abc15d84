package dev.substrat.platform.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Truncation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// JSON parser and writer of this project: strict when reading (no duplicate or unknown keys, no
/// trailing text, no type coercion), timestamps in ISO-8601 when writing.
public final class Json {
  /// Keys, values, and beginnings and ends of objects and arrays in one body. The largest bodies of
  /// our own programs, restored memory in parts of 500 entries, have less than 10,000.
  public static final int MAX_TOKENS = 250_000;

  public static final int DEEPEST = 200;
  public static final int MAX_KEY_LENGTH = 1_000;
  public static final int MAX_NUMBER_LENGTH = 1_000;

  private static final JsonMapper MAPPER = mapper(StreamReadConstraints.defaults());

  /// For untrusted input: a body of 4 MiB must not become hundreds of megabytes of objects.
  private static final JsonMapper BOUNDED =
      mapper(
          StreamReadConstraints.builder()
              .maxTokenCount(MAX_TOKENS)
              .maxNestingDepth(DEEPEST)
              .maxNameLength(MAX_KEY_LENGTH)
              .maxNumberLength(MAX_NUMBER_LENGTH)
              .build());

  private Json() {}

  private static JsonMapper mapper(StreamReadConstraints limits) {
    return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(limits).build())
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .addModule(
            new SimpleModule()
                .addSerializer(Instant.class, new InstantSerializer())
                .addDeserializer(Instant.class, new InstantDeserializer()))
        .build();
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  public static JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  public static byte[] bytes(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String text(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Indented ASCII, with all other characters escaped, so that no character imitates another one.
  public static String ascii(JsonNode value) {
    try {
      return MAPPER
          .writerWithDefaultPrettyPrinter()
          .with(JsonWriteFeature.ESCAPE_NON_ASCII)
          .writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Serializes a value now: where it is part of a larger value, its bytes are copied.
  public static RawValue written(Object value) {
    return new RawValue(new SerializedString(text(value)));
  }

  /// Parses untrusted JSON within the limits above; the fault has the position of the error.
  public static JsonNode parse(byte[] bytes) {
    try {
      JsonNode node = BOUNDED.readTree(bytes);
      if (node == null || node.isMissingNode()) {
        throw malformed("the body is empty", null);
      }
      StorableText.require(node);
      return node;
    } catch (StreamConstraintsException e) {
      throw tooMuch(e);
    } catch (JsonProcessingException e) {
      throw malformed(where(e), e);
    } catch (IOException e) {
      throw malformed("the encoding is not valid UTF-8", e);
    }
  }

  /// Parses the response of a service. Invalid characters are replaced, because the sender cannot
  /// be asked to correct them.
  public static JsonNode parseLenient(byte[] bytes) {
    try {
      JsonNode node = MAPPER.readTree(bytes);
      if (node == null || node.isMissingNode()) {
        throw malformed("the text is empty", null);
      }
      return StorableText.sanitize(node);
    } catch (JsonProcessingException e) {
      throw malformed(where(e), e);
    } catch (IOException e) {
      throw malformed("the encoding is not valid UTF-8", e);
    }
  }

  /// Parses JSON that the daemon wrote itself, for example a database column.
  public static JsonNode own(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Converts a validated tree to its record.
  public static <T> T as(JsonNode tree, Class<T> type) {
    try {
      return MAPPER.treeToValue(tree, type);
    } catch (JsonProcessingException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          pointer(e) + " " + what(e), "see the request schema in /api/openapi.json", e);
    }
  }

  /// For an unknown enum value, lists the allowed ones.
  private static String what(JsonProcessingException e) {
    Object[] words =
        e instanceof InvalidFormatException wrong && wrong.getTargetType() != null
            ? wrong.getTargetType().getEnumConstants()
            : null;
    return words == null
        ? e.getOriginalMessage()
        : "must be one of: "
            + Stream.of(words).map(word -> tree(word).asText()).collect(Collectors.joining(", "));
  }

  private static String pointer(JsonProcessingException e) {
    return e instanceof JsonMappingException mapping
        ? mapping.getPath().stream()
            .map(step -> step.getFieldName() == null ? step.getIndex() : step.getFieldName())
            .map(step -> "/" + step)
            .collect(Collectors.joining())
        : "the value";
  }

  /// Jackson names its own setting for the limit after the first parenthesis.
  private static Fault tooMuch(StreamConstraintsException e) {
    String said = String.valueOf(e.getOriginalMessage());
    if (said.startsWith("Token count")) {
      return ErrorCode.TOO_LARGE.fault(
          "the JSON has more than " + Truncation.grouped(MAX_TOKENS) + " keys and values",
          "send less data, or split it into several requests",
          e);
    }
    if (said.contains("nesting")) {
      return malformed("nesting is deeper than " + DEEPEST + " levels", e);
    }
    if (said.contains("Name")) {
      return malformed(
          "a key has more than " + Truncation.grouped(MAX_KEY_LENGTH) + " characters", e);
    }
    return said.contains("Number")
        ? malformed(
            "a number has more than " + Truncation.grouped(MAX_NUMBER_LENGTH) + " digits", e)
        : malformed(where(e), e);
  }

  private static Fault malformed(String what, @Nullable Throwable cause) {
    return ErrorCode.MALFORMED_REQUEST.fault(
        "not valid JSON: " + what,
        "send one JSON value in UTF-8, without trailing text or duplicate keys",
        cause);
  }

  private static String where(JsonProcessingException e) {
    var place = e.getLocation();
    String at =
        place == null ? "" : " at line " + place.getLineNr() + ", column " + place.getColumnNr();
    // Jackson names its own setting here.
    String first =
        e instanceof MismatchedInputException
            ? "there is trailing text"
            : String.valueOf(e.getOriginalMessage()).lines().findFirst().orElse("unreadable");
    return first + at;
  }

  private static final class InstantSerializer extends JsonSerializer<Instant> {
    @Override
    public void serialize(Instant time, JsonGenerator out, SerializerProvider unused)
        throws IOException {
      out.writeString(time.toString());
    }
  }

  private static final class InstantDeserializer extends JsonDeserializer<Instant> {
    @Override
    public Instant deserialize(JsonParser in, DeserializationContext context) throws IOException {
      String text = in.getValueAsString("");
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        throw InvalidFormatException.from(in, "is not a timestamp", text, Instant.class);
      }
    }
  }
}
