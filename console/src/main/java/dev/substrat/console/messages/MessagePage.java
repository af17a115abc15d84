package dev.substrat.console.messages;

import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Page of one message: delivery steps, the question it answers, and its reply. `waits` is why the
/// recipient does not process it yet, or empty.
public record MessagePage(
    PageFrame frame,
    Instant now,
    MessageRow letter,
    List<Step> way,
    @Nullable MessageRow question,
    @Nullable MessageRow reply,
    String waits)
    implements View {

  /// A delivery step and its duration; without a time it is still ahead.
  public record Step(String word, String meaning, @Nullable Instant at, String took, String tone) {}

  /// Whether the operator may reply.
  public boolean mayReply() {
    return letter.to().handle().equals("operator") && !letter.from().path().isEmpty();
  }

  @Override
  public String template() {
    return "messages/message";
  }
}
