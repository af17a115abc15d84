package dev.substrat.turn;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.identity.AgentId;
import dev.substrat.provider.Provider.TurnOutcome;
import dev.substrat.store.Tx;
import dev.substrat.tool.ToolPipeline;
import java.util.Optional;

/// Source of recorded answers to the first calls of a turn. A fork begins with the answers of the
/// run that it was forked from.
public interface CallPrefix {

  /// The recorded answer to a call made in `step`; empty once the beginning is over. Throws a
  /// [dev.substrat.provider.ReplayMismatch] if the record has another call there.
  Optional<ToolPipeline.ResultWithUnread> answer(int step, String tool, ObjectNode arguments);

  /// How a turn with this `outcome` deviated from the record before its recorded beginning ended,
  /// if it did.
  Optional<String> departure(TurnOutcome outcome);

  /// Knows which turns have one. This package owns the question; `replay` answers it.
  @FunctionalInterface
  interface CallPrefixSource {
    Optional<CallPrefix> of(Tx tx, AgentId agent, long turn);
  }
}
