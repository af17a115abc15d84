package dev.substrat.memory;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.substrat.json.AtLeast;
import dev.substrat.search.Passage;
import dev.substrat.search.PassageQuery;
import dev.substrat.tool.Call;
import dev.substrat.tool.Effect;
import dev.substrat.tool.SimpleTool;
import dev.substrat.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tools with which an agent remembers. Whose memory it is comes from who calls, and from no
/// argument.
public final class MemoryTools {
  private static final int FOUND = 10;
  private static final int MOST_FOUND = 50;

  private final Memory memory;

  public MemoryTools(Memory memory) {
    this.memory = memory;
  }

  /// A block, written anew.
  public record Update(
      @JsonPropertyDescription("Which block, for example persona, mood or relationships.")
          String label,
      @JsonPropertyDescription("All that the block says from now on.") String content) {}

  /// It was done.
  record Success(boolean success) {}

  /// Something to find again.
  public record Store(
      @JsonPropertyDescription("What to keep, in words that you would look for.") String content,
      @JsonPropertyDescription("What it is about, to narrow a search.")
          @Nullable List<String> tags) {}

  /// Where it is.
  record Stored(String passageId) {}

  /// What to look for.
  public record Search(
      @JsonPropertyDescription("What it is about.") String query,
      @JsonPropertyDescription("Only passages that have all of these tags.")
          @Nullable List<String> tags,
      @AtLeast(1) @JsonPropertyDescription("How many at most: 10 unless you say so, 50 at most.")
          @Nullable Integer limit) {}

  /// What there is, the best first.
  record Found(List<Passage> passages) {}

  public List<Tool> tools() {
    return List.of(updateMemory(), storeMemory(), searchMemory());
  }

  private Tool updateMemory() {
    return SimpleTool.of(
        "update_memory",
        // What a block said before is kept, so nothing is lost by writing over it.
        Effect.SETS,
        Update.class,
        Success.class,
        """
        Writes one of your memory blocks anew, or makes it. Use it for what you should have in mind in
        every turn: who you are, how you feel, whom you trust, what you are working on. The content
        replaces all that the block said, so repeat what should stay. It returns at once, and your next
        turn shows the block. If somebody has changed it since you saw it, nothing is written and you
        are told what it says now.\
        """,
        (call, input) -> {
          memory.blocks().update(call, input.label(), input.content());
          return new Success(true);
        });
  }

  private Tool storeMemory() {
    return SimpleTool.of(
        "store_memory",
        Effect.DOES,
        Store.class,
        Stored.class,
        """
        Puts something away that you may want to find again later. Use it for facts, events and
        decisions that you need not have in mind all the time. It returns at once; search_memory finds
        it from then on.\
        """,
        (call, input) ->
            new Stored(
                memory
                    .passages()
                    .store(call, new Passages.Text(input.content(), orNone(input.tags())))));
  }

  private Tool searchMemory() {
    return SimpleTool.of(
        "search_memory",
        Effect.LOOKS,
        Search.class,
        Found.class,
        """
        Finds what you have stored with store_memory. Use it before you say that you do not know
        something. It searches your own passages only and returns at once, the best first.\
        """,
        this::search);
  }

  private Found search(Call call, Search input) {
    int limit = input.limit() == null ? FOUND : Math.min(input.limit(), MOST_FOUND);
    return new Found(
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
