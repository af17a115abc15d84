package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.json.Json;
import dev.substrat.json.Schema;

/// A tool made of its parts: a name, a description, a record for its input and a method. Most tools
/// need no more.
public record SimpleTool<T extends Record>(
    String name, String description, Class<T> type, Schema input, boolean isReadOnly, Body<T> body)
    implements Tool {

  /// What the tool does with its input.
  @FunctionalInterface
  public interface Body<T> {
    ToolReply run(Call call, T input);
  }

  /// A tool that changes something.
  public static <T extends Record> SimpleTool<T> changing(
      String name, Class<T> type, String description, Body<T> body) {
    return new SimpleTool<>(name, description, type, Schema.ofRecord(type), false, body);
  }

  /// A tool that only looks.
  public static <T extends Record> SimpleTool<T> looking(
      String name, Class<T> type, String description, Body<T> body) {
    return new SimpleTool<>(name, description, type, Schema.ofRecord(type), true, body);
  }

  @Override
  public ToolReply call(Call call, ObjectNode arguments) {
    return body.run(call, Json.as(arguments, type));
  }
}
