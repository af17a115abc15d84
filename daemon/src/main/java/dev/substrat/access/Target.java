package dev.substrat.access;

import org.jspecify.annotations.Nullable;

/// What a request is about: the id of one agent and of one space, as far as its address tells.
public record Target(@Nullable String agent, @Nullable String space) {
  public static final Target NONE = new Target(null, null);

  /// Finds what a word in a request's address stands for. The server owns the question; `api`
  /// answers it.
  @FunctionalInterface
  public interface Finder {
    /// `collection` is the word before the name in the path, such as `agents` or `runs`. What does
    /// not exist has no target.
    Target find(String collection, String name);
  }
}
