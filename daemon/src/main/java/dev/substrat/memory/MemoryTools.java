package dev.substrat.memory;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.memory.search.PassageHit;
import dev.substrat.memory.search.PassageQuery;
import dev.substrat.platform.json.Minimum;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolEffect;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools for blocks and passages. The owner is always the calling agent, never an argument.
public record MemoryTools(MemoryFeatures memory) {

  private static final int FOUND = 10;
  private static final int MAX_RESULTS = 50;

  /// New content of a block.
  public record BlockUpdateInput(
      @JsonPropertyDescription("Label of the block, for example persona, mood or relationships.")
          String label,
      @JsonPropertyDescription("New content of the whole block.") String content) {}

  /// Confirmation.
  record SuccessResult(boolean success) {}

  /// A passage to store.
  public record StorePassageInput(
      @JsonPropertyDescription("Text to store, in words that you would search for.") String content,
      @JsonPropertyDescription("Topics, to filter searches.") @Nullable List<String> tags) {}

  /// Id of the stored passage.
  record StoredPassageResult(String passageId) {}

  /// A search.
  public record SearchMemoryInput(
      @JsonPropertyDescription(
              "Words that must all occur, also within longer words. \"exact phrase\" in double"
                  + " quotes; OR in upper case between alternatives; all else is literal. Empty:"
                  + " the newest passages.")
          String query,
      @JsonPropertyDescription("Only passages that have all of these tags.")
          @Nullable List<String> tags,
      @Minimum(1)
          @JsonProperty(defaultValue = "10")
          @JsonPropertyDescription("Maximum number of passages, at most 50.")
          @Nullable Integer limit) {}

  /// Passages found, best first.
  record SearchMemoryResult(List<PassageHit> passages) {}

  public List<Tool> tools() {
    return List.of(updateMemory(), storeMemory(), searchMemory());
  }

  private Tool updateMemory() {
    return SimpleTool.of(
        "update_memory",
        ToolEffect.ENDS,
        BlockUpdateInput.class,
        SuccessResult.class,
        """
        Create or replace a memory block. Use it for what you need
        [[turn|in every turn]][[external|all the time]]: identity, mood, relationships, current work. Send
        the complete content. If the block has changed since you read it, nothing is written and the result
        is its content.\
        """,
        (call, input) -> {
          memory.blocks().update(call, input.label(), input.content());
          return new SuccessResult(true);
        });
  }

  private Tool storeMemory() {
    return SimpleTool.of(
        "store_memory",
        ToolEffect.DOES,
        StorePassageInput.class,
        StoredPassageResult.class,
        """
        Store a passage to find later with search_memory. Use it for facts, events and decisions that you do
        not need [[turn|in every turn]][[external|all the time]].\
        """,
        (call, input) ->
            new StoredPassageResult(
                memory
                    .passages()
                    .store(
                        call, new Passages.PassageDraft(input.content(), orNone(input.tags())))));
  }

  private Tool searchMemory() {
    return SimpleTool.of(
        "search_memory",
        ToolEffect.LOOKS,
        SearchMemoryInput.class,
        SearchMemoryResult.class,
        """
        Search your own passages, stored with store_memory. Use it before you say that you do not know
        something. Returns passages in which all words occur, then passages of similar meaning; an
        empty list if nothing is relevant.\
        """,
        this::search);
  }

  private SearchMemoryResult search(ToolCall call, SearchMemoryInput input) {
    int limit = input.limit() == null ? FOUND : Math.min(input.limit(), MAX_RESULTS);
    return new SearchMemoryResult(
        memory
            .passages()
            .find(
                new PassageQuery(
                    call.caller().agent().id(), input.query(), orNone(input.tags()), limit)));
  }

  private static List<String> orNone(@Nullable List<String> tags) {
    return tags == null ? List.of() : tags;
  }
}
