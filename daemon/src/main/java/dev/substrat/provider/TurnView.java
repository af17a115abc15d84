package dev.substrat.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.credential.Token;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.team.Agent;
import dev.substrat.tool.Toolbox;
import dev.substrat.transcript.Usage;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A turn as its provider sees it.
public interface TurnView {
  Agent agent();

  /// What the turn is about, oldest first.
  List<InboxEvent> events();

  /// Must be called when the agent gets to see `event`: from then on it may answer it.
  void show(InboxEvent event);

  /// A step begins: the mind is asked once more. Calls belong to the step that began last.
  void beginStep();

  /// What the step has used, as soon as the mind says so.
  void endStep(@Nullable String model, Usage usage);

  /// Waits as long as the agent itself wants to, on the daemon's clock.
  void pause(Duration time) throws InterruptedException;

  /// A token of this turn, for a mind that calls its tools over MCP. It is worth nothing the moment
  /// the turn is over or has lost its lease.
  Token credential();

  /// Calls one of the agent's tools; returns at once.
  Toolbox.Answer call(String tool, ObjectNode arguments);
}
