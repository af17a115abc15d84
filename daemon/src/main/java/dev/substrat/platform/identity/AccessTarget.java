package dev.substrat.platform.identity;

import org.jspecify.annotations.Nullable;

/// What a request is about: the id of one agent and of one space, as far as its address tells.
public record AccessTarget(@Nullable String agent, @Nullable String space) {
  public static final AccessTarget NONE = new AccessTarget(null, null);

  public static AccessTarget ofAgent(String id) {
    return new AccessTarget(id, null);
  }

  public static AccessTarget ofSpace(String id) {
    return new AccessTarget(null, id);
  }

  /// In the place of an id when an address names two: it is nobody's.
  private static final String SEVERAL = "";

  /// What both are about. A request about two agents is about neither alone.
  public AccessTarget and(AccessTarget other) {
    return new AccessTarget(one(agent, other.agent), one(space, other.space));
  }

  private static @Nullable String one(@Nullable String first, @Nullable String second) {
    return first == null ? second : second == null || first.equals(second) ? first : SEVERAL;
  }

  /// Finds what a word in a request's address stands for. The server owns the question; `api`
  /// answers it.
  @FunctionalInterface
  public interface Finder {
    /// `collection` is the word before the name in the path, such as `agents` or `runs`. What does
    /// not exist has no target.
    AccessTarget find(String collection, String name);
  }
}
