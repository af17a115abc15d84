package dev.substrat.memory;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.memory.MemoryValues.KeyValuePair;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools for small facts stored under keys.
public record MemoryValueTools(MemoryValues values) {

  /// A value to set.
  public record SetValuesInput(
      @JsonPropertyDescription("Values to store; an existing key gets the new value.")
          List<KeyValuePair> memories) {}

  /// Stored values.
  record StoredValuesResult(List<KeyValuePair> memories) {}

  /// Keys to delete.
  public record DeleteValuesInput(
      @JsonPropertyDescription("Keys of the values to delete.") List<String> keys) {}

  /// Deleted keys.
  record DeletedValuesResult(List<String> deleted) {}

  /// Keys to read.
  public record GetValuesInput(
      @JsonPropertyDescription("Keys to return. Default: all.") @Nullable List<String> keys) {}

  public List<Tool> tools() {
    return List.of(setMemories(), deleteMemories(), getMemories());
  }

  private Tool setMemories() {
    return SimpleTool.of(
        "set_memories",
        ToolEffect.ENDS,
        SetValuesInput.class,
        StoredValuesResult.class,
        """
        Store short values under keys, all or none. Use it for exact facts: names, dates, preferences,
        progress.[[turn| Every later turn shows them.]]\
        """,
        (call, input) -> {
          values.set(call, input.memories());
          return new StoredValuesResult(input.memories());
        });
  }

  private Tool deleteMemories() {
    return SimpleTool.of(
        "delete_memories",
        ToolEffect.ENDS,
        DeleteValuesInput.class,
        DeletedValuesResult.class,
        "Delete stored values by key, all or none.",
        (call, input) -> {
          values.delete(call, input.keys());
          return new DeletedValuesResult(input.keys());
        });
  }

  private Tool getMemories() {
    return SimpleTool.of(
        "get_memories",
        ToolEffect.LOOKS,
        GetValuesInput.class,
        StoredValuesResult.class,
        "Return stored values by key.",
        (call, input) ->
            new StoredValuesResult(
                values.all(call.caller().agent().id()).stream()
                    .filter(value -> input.keys() == null || input.keys().contains(value.key()))
                    .map(value -> new KeyValuePair(value.key(), value.value()))
                    .toList()));
  }
}
