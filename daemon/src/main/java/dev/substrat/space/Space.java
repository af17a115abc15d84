package dev.substrat.space;

import dev.substrat.protocol.SpellingSuggestion;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A conversation with members: channel or DM. `maxChainDepth` is missing if the daemon's limit
/// applies; `heldReason` is the reason why a message was held last, and `isBreakerOpen` means that
/// messages of agents currently wake no agents here.
public record Space(
    String id,
    String name,
    SpaceKind kind,
    String topic,
    WakePolicy wakePolicy,
    @Nullable Integer maxChainDepth,
    long lastSeq,
    boolean isBreakerOpen,
    @Nullable String heldReason,
    SpaceMember createdBy,
    Instant createdAt) {

  /// Visibility of a space.
  public enum SpaceKind {
    PUBLIC,
    PRIVATE,
    DM;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static SpaceKind parse(String text) {
      return named(values(), text, "kind");
    }

    /// The default wake policy.
    WakePolicy policy() {
      return this == DM ? WakePolicy.DM_CHAIN : WakePolicy.ALL;
    }
  }

  /// Which agents a message wakes.
  public enum WakePolicy {
    /// All other agents in the space.
    ALL,
    /// One after another; each sees the messages of those before it.
    SEQUENTIAL,
    /// The other one, while the chain is short.
    DM_CHAIN,
    /// Agents named as `@handle` or `@name`.
    MENTION,
    /// No agents.
    NONE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static WakePolicy parse(String text) {
      return named(values(), text, "wakePolicy");
    }
  }

  private static <T extends Enum<T>> T named(T[] values, String text, String key) {
    List<String> words = Stream.of(values).map(Object::toString).toList();
    int index = words.indexOf(text);
    if (index < 0) {
      throw SpaceRules.wrong(
          "/" + key,
          "has the unknown value \"%s\"".formatted(text),
          SpellingSuggestion.suggestion(text, words) + "use one of: " + String.join(", ", words));
    }
    return values[index];
  }
}
