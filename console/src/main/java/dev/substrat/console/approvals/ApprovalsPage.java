package dev.substrat.console.approvals;

import dev.substrat.console.NamedPrincipal;
import dev.substrat.console.PageFrame;
import dev.substrat.console.View;
import java.time.Instant;
import java.util.List;

/// Everything that waits for somebody's word, oldest first, and what was decided lately. `next` is
/// where the following page begins, or empty.
public record ApprovalsPage(
    PageFrame frame, Instant now, List<PendingQuestion> open, String next, List<Decided> decided)
    implements View {

  /// One that is over: what was asked, how it came out, and what else was said.
  public record Decided(
      String call,
      NamedPrincipal asker,
      String tool,
      String question,
      String outcome,
      String tone,
      String by,
      String answer,
      Instant at) {}

  /// What may change what is shown; people hear only of what happens in their spaces.
  public String concerns() {
    return "pending_call message_created message_updated";
  }

  /// What tells that somebody is asked, to those who want to be told.
  public String noticesBy() {
    return frame.viewer().isOperator() ? "pending_call" : "message_created";
  }

  @Override
  public String template() {
    return "approvals/list";
  }
}
