package dev.substrat.teamtest;

import org.jspecify.annotations.Nullable;

/// A message in a space. `author` is an agent's handle, a person's name, or `operator`; `kind` is
/// `message`, `tool` or `system`. `held` is the reason if a guard held its wake-ups.
public record SpacePost(
    String id,
    String space,
    long seq,
    String author,
    String text,
    String kind,
    @Nullable String parent,
    @Nullable String held) {

  @Override
  public String toString() {
    String what = "%s in %s: %s".formatted(author, space, EventDescriptions.quoted(text));
    return held == null ? what : what + " [held: " + held + "]";
  }
}
