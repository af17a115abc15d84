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
    MessageRow message,
    List<DeliveryStep> steps,
    @Nullable MessageRow question,
    @Nullable MessageRow reply,
    String waits)
    implements View {

  /// A delivery step and its duration; without a time it is still ahead.
  public record DeliveryStep(
      String label, String meaning, @Nullable Instant at, String duration, String tone) {}

  /// Whether the operator may reply.
  public boolean mayReply() {
    return message.to().handle().equals("operator") && !message.from().path().isEmpty();
  }

  @Override
  public String template() {
    return "messages/message";
  }
}
