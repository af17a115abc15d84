package dev.substrat.provider.llm;

import dev.substrat.provider.ProviderEvent;
import dev.substrat.provider.ProviderTurn;
import dev.substrat.provider.llm.wire.ReplyListener;

/// Publishes the output of a model while it is streamed.
///
/// Events are marked as shown once the API has accepted the first request that contains them.
/// Belongs to its turn's thread.
final class ReplyEvents implements ReplyListener {
  private final ProviderTurn turn;
  private boolean isShown;
  private boolean hasSpoken;

  ReplyEvents(ProviderTurn turn) {
    this.turn = turn;
  }

  /// An answer is about to come. If the one before was not taken, what it said does not count.
  void begin() {
    if (hasSpoken) {
      turn.publish(new ProviderEvent.Withdrawn());
      hasSpoken = false;
    }
  }

  /// The answer is whole, and taken.
  void end() {
    hasSpoken = false;
  }

  @Override
  public void accepted() {
    if (!isShown) {
      isShown = true;
      turn.events().forEach(turn::show);
    }
  }

  @Override
  public void text(String delta) {
    hasSpoken = true;
    turn.publish(new ProviderEvent.TextDelta(delta));
  }

  @Override
  public void arguments(String callId, String tool, String delta) {
    hasSpoken = true;
    turn.publish(new ProviderEvent.ToolInputDelta(callId, tool, delta));
  }
}
