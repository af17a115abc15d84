package dev.substrat.provider;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.inbox.InboxEvent;
import dev.substrat.prompt.Prompt;
import dev.substrat.team.Agent;
import dev.substrat.tool.Toolbox;
import java.util.List;

/// A turn as its provider sees it.
public interface TurnView {
  Agent agent();

  /// What the turn is about, oldest first.
  List<InboxEvent> events();

  /// Must be called when the agent gets to see `event`: from then on it may answer it.
  void show(InboxEvent event);

  /// What the agent's mind is to be told, in words; the same each time it is asked for, and
  /// recorded with the turn. It shows nothing yet: that is [#show], for each event, once the mind
  /// has it.
  Prompt prompt();

  /// Calls one of the agent's tools; returns at once.
  Toolbox.Answer call(String tool, ObjectNode arguments);
}
