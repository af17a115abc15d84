package dev.substrat.memory;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.memory.Values.Fact;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools with which an agent keeps small facts under keys.
public final class MemoryValueTools {
  private final Values values;

  public MemoryValueTools(Values values) {
    this.values = values;
  }

  /// What is so from now on.
  public record Set(
      @JsonPropertyDescription("What to keep; a key that is there gets the new value.")
          List<Fact> memories) {}

  /// What is kept.
  record Kept(List<Fact> memories) {}

  /// What to forget.
  public record Delete(
      @JsonPropertyDescription("Keys of the memories to delete.") List<String> keys) {}

  /// What is gone.
  record Deleted(List<String> deleted) {}

  /// What to look at.
  public record Get(
      @JsonPropertyDescription("Only these; all of them if missing.")
          @Nullable List<String> keys) {}

  public List<Tool> tools() {
    return List.of(setMemories(), deleteMemories(), getMemories());
  }

  private Tool setMemories() {
    return SimpleTool.of(
        "set_memories",
        // What a key stood for before is kept, so nothing is lost by writing over it.
        Effect.SETS,
        Set.class,
        Kept.class,
        """
        Keeps small facts under keys of your own, several at a time, all of them or none. Use it for
        what you want to know exactly: names, dates, preferences, where you left off. It returns at
        once, and every later turn shows them.\
        """,
        (call, input) -> {
          values.set(call, input.memories());
          return new Kept(input.memories());
        });
  }

  private Tool deleteMemories() {
    return SimpleTool.of(
        "delete_memories",
        Effect.ENDS,
        Delete.class,
        Deleted.class,
        "Forgets facts that you keep under these keys, all of them or none.",
        (call, input) -> {
          values.delete(call, input.keys());
          return new Deleted(input.keys());
        });
  }

  private Tool getMemories() {
    return SimpleTool.of(
        "get_memories",
        Effect.LOOKS,
        Get.class,
        Kept.class,
        "Shows the facts that you keep under keys.",
        (call, input) ->
            new Kept(
                values.all(call.caller().agent().id()).stream()
                    .filter(value -> input.keys() == null || input.keys().contains(value.key()))
                    .map(value -> new Fact(value.key(), value.value()))
                    .toList()));
  }
}
