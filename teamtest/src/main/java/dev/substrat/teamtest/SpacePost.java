package dev.substrat.teamtest;

import org.jspecify.annotations.Nullable;

/// Something said in a space. `author` is an agent's handle, a person's name, or `operator`; `kind`
/// is `message`, `tool` or `system`. `held` says why it woke nobody, if so.
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
