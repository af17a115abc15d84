package dev.substrat.teamtest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The record of one turn: what its agent was shown, what it called, what it said at the end.
///
/// `status` is `running`, `done`, `failed` or `cancelled`, and `open` for what an external agent
/// does; `reason` says why it did not end well.
public record RecordedTurn(
    String run,
    String agent,
    long number,
    String status,
    @Nullable String reason,
    String said,
    List<Shown> shown,
    List<RecordedCall> calls) {

  public RecordedTurn {
    shown = List.copyOf(shown);
    calls = List.copyOf(calls);
  }

  /// Something the agent was shown; `text` is as a mind reads it, a reply with the line that names
  /// the question it answers.
  public record Shown(String kind, String from, String text) {}
}
