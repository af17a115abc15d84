package dev.substrat.console.messages;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One message: its way so far, what it answers, and its answer. `waits` is why nobody sees to it
/// for now, or empty.
public record MessagePage(
    PageFrame frame,
    Instant now,
    MessageRow letter,
    List<Step> way,
    @Nullable MessageRow question,
    @Nullable MessageRow reply,
    String waits)
    implements View {

  /// When it got how far, and how long that took; without a time it has not got there.
  public record Step(String word, String meaning, @Nullable Instant at, String took, String tone) {}

  /// Whether the operator may write back.
  public boolean mayReply() {
    return letter.to().handle().equals("operator") && !letter.from().path().isEmpty();
  }

  @Override
  public String template() {
    return "mail/letter";
  }
}
