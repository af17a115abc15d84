package dev.substrat.teamtest;

import org.jspecify.annotations.Nullable;

/// A message and its delivery status at the time of the query.
///
/// `from` and `to` are handles, or `operator` for the person and `substrat` for notices. `kind` is
/// `message`, `broadcast`, `reply` or `notice`; `status` is `stored`, `claimed`, `injected`,
/// `read`, `replied`, `expired` or `dead`. If it is held or dead, `reason` says why.
public record SentMessage(
    String id,
    String kind,
    String from,
    String to,
    String text,
    boolean isQuestion,
    @Nullable String inReplyTo,
    String status,
    @Nullable String reason) {

  @Override
  public String toString() {
    String what = "%s → %s (%s): %s".formatted(from, to, kind, EventDescriptions.quoted(text));
    return reason == null ? what : what + " [" + status + ": " + reason + "]";
  }
}
