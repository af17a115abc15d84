package dev.substrat.teamtest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record of one turn: the events it was shown, its tool calls, its final text.
///
/// `status` is `running`, `done`, `failed` or `cancelled`, or `open` for the run of an external
/// agent; `reason` says why it failed or was cancelled.
public record RecordedTurn(
    String run,
    String agent,
    long number,
    String status,
    @Nullable String reason,
    String finalText,
    List<ShownEvent> shown,
    List<RecordedCall> calls) {

  public RecordedTurn {
    shown = List.copyOf(shown);
    calls = List.copyOf(calls);
  }

  /// An event that the agent was shown. `text` is what the provider gets; a reply begins with the
  /// line that names its question.
  public record ShownEvent(String kind, String from, String text) {}
}
