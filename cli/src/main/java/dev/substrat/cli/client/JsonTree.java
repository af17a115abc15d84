package dev.substrat.cli.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.HiddenCharacters;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Reads and writes JSON trees without an object mapper.
///
/// A command takes a tenth of a second, and creating a mapper would be a large part of that. The
/// client binds no records, so the streaming parser and the node types suffice. Do not print nodes
/// with `toString`, which loads the mapper.
public final class JsonTree {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonTree() {}

  public static ObjectNode object() {
    return NODES.objectNode();
  }

  /// Puts an option's value, a text, number or boolean, if it is not null.
  public static void putIfGiven(ObjectNode object, String key, @Nullable Object value) {
    switch (value) {
      case null -> {}
      case String text -> object.put(key, text);
      case Boolean flag -> object.put(key, flag);
      case Integer number -> object.put(key, number);
      case Long number -> object.put(key, number);
      case BigDecimal number -> object.put(key, number);
      default -> throw new IllegalArgumentException(key + " is a " + value.getClass());
    }
  }

  /// Throws the parser's exception, because only the caller knows the source of the text.
  public static JsonNode parse(byte[] bytes) throws IOException {
    return parse(bytes, FACTORY);
  }

  /// The same for any format that has a streaming parser, for instance YAML.
  public static JsonNode parse(byte[] bytes, JsonFactory format) throws IOException {
    try (JsonParser parser = format.createParser(bytes)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return NODES.missingNode();
      }
      JsonNode tree = tree(parser);
      if (parser.nextToken() != null) {
        throw new IOException("text after the end of the value");
      }
      return tree;
    }
  }

  private static JsonNode tree(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> NODES.numberNode(parser.getDoubleValue());
      case VALUE_TRUE -> NODES.booleanNode(true);
      case VALUE_FALSE -> NODES.booleanNode(false);
      case VALUE_NULL -> NODES.nullNode();
      default -> NODES.textNode(parser.getText());
    };
  }

  private static JsonNode object(JsonParser parser) throws IOException {
    var object = NODES.objectNode();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      object.set(key, tree(parser));
    }
    return object;
  }

  private static JsonNode array(JsonParser parser) throws IOException {
    var array = NODES.arrayNode();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(tree(parser));
    }
    return array;
  }

  private static JsonNode whole(JsonParser parser) throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? NODES.numberNode(parser.getBigIntegerValue())
        : NODES.numberNode(parser.getLongValue());
  }

  /// Writes any format that has a streaming generator, for instance YAML.
  public static String text(JsonNode node, JsonFactory format) {
    var text = new StringWriter();
    try (JsonGenerator out = format.createGenerator(text)) {
      write(node, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  /// On one line.
  public static String text(JsonNode node) {
    var text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      write(node, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return visible(text.toString());
  }

  /// Indented.
  public static String pretty(JsonNode node) {
    var text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      out.setPrettyPrinter(new DefaultPrettyPrinter());
      write(node, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return visible(text.toString());
  }

  private static void write(JsonNode node, JsonGenerator out) throws IOException {
    switch (node.getNodeType()) {
      case OBJECT -> {
        out.writeStartObject();
        for (var entry : node.properties()) {
          out.writeFieldName(entry.getKey());
          write(entry.getValue(), out);
        }
        out.writeEndObject();
      }
      case ARRAY -> {
        out.writeStartArray();
        for (JsonNode item : node) {
          write(item, out);
        }
        out.writeEndArray();
      }
      case NUMBER -> out.writeNumber(node.asText());
      case BOOLEAN -> out.writeBoolean(node.asBoolean());
      case NULL, MISSING -> out.writeNull();
      default -> out.writeString(node.asText());
    }
  }

  /// Escapes hidden characters in strings. JSON itself escapes only ASCII control characters;
  /// others are invisible or control a terminal.
  private static String visible(String json) {
    if (!HiddenCharacters.contains(json)) {
      return json;
    }
    var safe = new StringBuilder(json.length() + 16);
    for (HiddenCharacters.TextPart part : HiddenCharacters.parts(json)) {
      if (part.isHidden()) {
        part.text().chars().forEach(c -> safe.append(String.format("\\u%04x", c)));
      } else {
        safe.append(part.text());
      }
    }
    return safe.toString();
  }

  /// The texts of a list, separated by commas.
  public static String words(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
  }
}
