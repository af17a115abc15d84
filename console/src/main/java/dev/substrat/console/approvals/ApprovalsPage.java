package dev.substrat.console.approvals;

import dev.substrat.console.DisplayedPrincipal;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// Open approvals, oldest first, and recent decisions. `next` is the cursor of the next page, or
/// empty.
public record ApprovalsPage(
    PageFrame frame,
    Instant now,
    List<PendingQuestion> open,
    String next,
    List<DecidedCall> decided)
    implements View {

  /// A finished call: question, outcome and answer.
  public record DecidedCall(
      String call,
      DisplayedPrincipal asker,
      String tool,
      String question,
      String outcome,
      String tone,
      String by,
      String answer,
      Instant at) {}

  /// Event types that refresh the page; people get only events of their spaces.
  public String eventTypes() {
    return "pending_call message_created message_updated";
  }

  /// Event type that triggers desktop notifications.
  public String noticesBy() {
    return frame.viewer().isOperator() ? "pending_call" : "message_created";
  }

  @Override
  public String template() {
    return "approvals/list";
  }
}
