package dev.substrat.platform.identity;

import org.jspecify.annotations.Nullable;

/// Target of a request: the ids of one agent and one space, as far as its path names them.
public record AccessTarget(@Nullable String agent, @Nullable String space) {
  public static final AccessTarget NONE = new AccessTarget(null, null);

  public static AccessTarget ofAgent(String id) {
    return new AccessTarget(id, null);
  }

  public static AccessTarget ofSpace(String id) {
    return new AccessTarget(null, id);
  }

  /// In place of an id if the path names two agents: it matches none.
  private static final String SEVERAL = "";

  /// Combines two targets. A request about two agents matches neither alone.
  public AccessTarget and(AccessTarget other) {
    return new AccessTarget(one(agent, other.agent), one(space, other.space));
  }

  private static @Nullable String one(@Nullable String first, @Nullable String second) {
    return first == null ? second : second == null || first.equals(second) ? first : SEVERAL;
  }

  /// Finds the target that a word in the path of a request names.
  @FunctionalInterface
  public interface TargetFinder {
    /// `collection` is the path segment before the name, such as `agents` or `runs`. An unknown
    /// name has no target.
    AccessTarget find(String collection, String name);
  }
}
