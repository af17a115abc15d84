package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.Agent;
import java.util.function.Predicate;

/// Tool built from its parts: name, effect, input record, result record, description and method.
/// Enough for most tools.
public record SimpleTool<T extends Record>(
    String name,
    ToolEffect effect,
    Class<T> type,
    JsonSchema input,
    JsonSchema output,
    String description,
    ToolImplementation<T, ToolResult> body,
    boolean isOneTransaction,
    Predicate<Agent> listing)
    implements Tool {

  /// Input of tools without parameters.
  public record NoInput() {}

  /// Implementation of the tool.
  @FunctionalInterface
  public interface ToolImplementation<T, R> {
    R run(ToolCall call, T input);
  }

  public static <T extends Record, R extends Record> SimpleTool<T> of(
      String name,
      ToolEffect effect,
      Class<T> type,
      Class<R> result,
      String description,
      ToolImplementation<T, R> body) {
    return answering(
        name,
        effect,
        type,
        result,
        description,
        (call, input) -> ToolResult.Done.with(body.run(call, input)));
  }

  /// A tool whose body returns the whole result, such as one with a hint. `result` is the type of
  /// its JSON.
  public static <T extends Record> SimpleTool<T> answering(
      String name,
      ToolEffect effect,
      Class<T> type,
      Class<? extends Record> result,
      String description,
      ToolImplementation<T, ToolResult> body) {
    return new SimpleTool<>(
        name,
        effect,
        type,
        JsonSchema.ofRecord(type),
        JsonSchema.ofResult(result),
        description,
        body,
        false,
        _ -> true);
  }

  /// The same tool, whose body is short work in the database and nothing else.
  public SimpleTool<T> inOneTransaction() {
    return new SimpleTool<>(name, effect, type, input, output, description, body, true, listing);
  }

  /// The same tool, listed only for some agents.
  public SimpleTool<T> listedFor(Predicate<Agent> agents) {
    return new SimpleTool<>(
        name, effect, type, input, output, description, body, isOneTransaction, agents);
  }

  @Override
  public boolean isListedFor(Agent agent) {
    return listing.test(agent);
  }

  @Override
  public ToolResult call(ToolCall call, ObjectNode arguments) {
    return body.run(call, Json.as(arguments, type));
  }
}
