package dev.substrat.console.messages;

import dev.substrat.console.NamedPrincipal;
import dev.substrat.console.RichText;
import java.time.Instant;
import java.util.List;

/// A message and how far it has come. `isCut` if its text goes on, `trouble` is why it came no
/// further, or what holds it, or empty. `canRetry` if it is a dead letter to an agent that lives.
public record MessageRow(
    String id,
    NamedPrincipal from,
    NamedPrincipal to,
    String kind,
    boolean wantsAnswer,
    List<RichText> text,
    boolean isCut,
    String excerpt,
    Instant sentAt,
    Stage stage,
    String trouble,
    boolean isUnread,
    boolean isHeld,
    boolean canRetry) {

  /// Where it stands: the word, its colour, and what it means.
  public record Stage(String word, String tone, String meaning) {}

  public String path() {
    return "/mail/" + id;
  }

  /// Where all of its text is, as it was written.
  public String wholePath() {
    return path() + "/text";
  }
}
