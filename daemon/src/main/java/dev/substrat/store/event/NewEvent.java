package dev.substrat.store.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.substrat.platform.json.Json;
import org.jspecify.annotations.Nullable;

/// Event that is about to be appended; it gets its number when it is.
public record NewEvent(
    String kind,
    @Nullable String agent,
    @Nullable String peer,
    @Nullable String space,
    @Nullable String run,
    ObjectNode payload) {

  /// Maximum characters of one value.
  public static final int MAX_LENGTH = 4_000;

  public static NewEvent of(String kind) {
    return new NewEvent(kind, null, null, null, null, Json.object());
  }

  public NewEvent about(String agent) {
    return new NewEvent(kind, agent, peer, space, run, payload);
  }

  public NewEvent and(String peer) {
    return new NewEvent(kind, agent, peer, space, run, payload);
  }

  public NewEvent in(String space) {
    return new NewEvent(kind, agent, peer, space, run, payload);
  }

  public NewEvent during(String run) {
    return new NewEvent(kind, agent, peer, space, run, payload);
  }

  /// The same with one more fact; a missing one is left out, a long one is cut.
  public NewEvent with(String key, @Nullable Object value) {
    if (value == null) {
      return this;
    }
    ObjectNode more = Json.object();
    more.setAll(payload);
    more.set(key, bounded(tree(value)));
    return new NewEvent(kind, agent, peer, space, run, more);
  }

  /// Most values need no mapper.
  private static JsonNode tree(Object value) {
    return switch (value) {
      case JsonNode json -> json;
      case String text -> new TextNode(text);
      case Boolean flag -> BooleanNode.valueOf(flag);
      default -> Json.tree(value);
    };
  }

  /// Events are read often; long texts are in their own tables.
  static JsonNode bounded(JsonNode value) {
    if (value.isValueNode() && !value.isTextual()) {
      return value;
    }
    String text = value.isTextual() ? value.asText() : value.toString();
    if (text.length() <= MAX_LENGTH) {
      return value;
    }
    int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1)) ? MAX_LENGTH - 1 : MAX_LENGTH;
    return new TextNode(text.substring(0, end) + "…");
  }
}
