package dev.substrat.console.messages;

import dev.substrat.console.DisplayedPrincipal;
import dev.substrat.console.RichText;
import java.time.Instant;
import java.util.List;

/// A message and its delivery state. `isCut` if its text is cut, `trouble` is why it is dead or
/// held, or empty. `canRetry` if it is a dead letter to an active agent.
public record MessageRow(
    String id,
    DisplayedPrincipal from,
    DisplayedPrincipal to,
    String kind,
    boolean wantsAnswer,
    List<RichText> text,
    boolean isCut,
    String excerpt,
    Instant sentAt,
    DeliveryStage stage,
    String problem,
    boolean isUnread,
    boolean isHeld,
    boolean canRetry) {

  /// Delivery state: word, colour, explanation.
  public record DeliveryStage(String word, String tone, String meaning) {}

  public String path() {
    return "/mail/" + id;
  }

  /// Path of the full text.
  public String wholePath() {
    return path() + "/text";
  }
}
