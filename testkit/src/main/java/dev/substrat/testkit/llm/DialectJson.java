package dev.substrat.testkit.llm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// JSON and stream chunks of the dialects.
final class DialectJson {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();
  private static final AtomicLong NUMBERS = new AtomicLong();

  /// A piece of a text, about as long as a few tokens.
  private static final int PIECE = 12;

  private DialectJson() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  static JsonNode parse(byte[] bytes) {
    try {
      return MAPPER.readTree(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The JSON object at the start of a text; the rest is ignored.
  static ObjectNode firstObject(String text) {
    try (var parser = MAPPER.createParser(text)) {
      return MAPPER.readTree(parser) instanceof ObjectNode object ? object : object();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isJson(String text) {
    try {
      return !MAPPER.readTree(text).isMissingNode();
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  /// The value, or the text itself if it is no JSON.
  static JsonNode valueOrText(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      return MAPPER.getNodeFactory().textNode(text);
    }
  }

  static String newId(String prefix) {
    return prefix + NUMBERS.incrementAndGet();
  }

  static List<String> pieces(String text) {
    var pieces = new ArrayList<String>();
    for (int at = 0; at < text.length(); at += PIECE) {
      pieces.add(text.substring(at, Math.min(text.length(), at + PIECE)));
    }
    return pieces;
  }

  static String event(JsonNode data) {
    return "data: " + data + "\n\n";
  }

  /// One with its type outside as well, as the newer dialects have it.
  static String typedEvent(ObjectNode data) {
    return "event: " + data.path("type").asText() + "\n" + event(data);
  }

  /// The texts of a content that is a string, or a list of blocks.
  static String text(JsonNode content) {
    if (content.isTextual()) {
      return content.asText();
    }
    var texts = new ArrayList<String>();
    for (JsonNode block : content) {
      if (block.path("text").isTextual()) {
        texts.add(block.path("text").asText());
      }
    }
    return String.join("\n", texts);
  }
}
