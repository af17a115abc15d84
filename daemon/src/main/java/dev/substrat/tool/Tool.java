package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.team.Agent;
import dev.substrat.tool.execution.InlinePolicy;
import org.jspecify.annotations.Nullable;

/// A tool of agents. It returns immediately; results of long work arrive through the inbox.
public interface Tool extends ToolDescription {

  /// Called with arguments that fit [#input].
  ToolResult call(ToolCall call, ObjectNode arguments);

  /// Repairs arguments before validation.
  default ObjectNode repair(ObjectNode arguments) {
    return arguments;
  }

  /// False if it is left out where the tools of this agent are listed; the agent can still call it.
  default boolean isListedFor(Agent agent) {
    return true;
  }

  /// The remote server that executes it, by its name in the agent's configuration.
  default @Nullable String server() {
    return null;
  }

  /// How its calls become pending if they take long; null if they never leave the daemon.
  default @Nullable InlinePolicy deferral() {
    return null;
  }

  /// True if its calls and results are shown in the space its agent is in.
  default boolean isShown() {
    return false;
  }

  /// True if the intermediate results of its calls are events in the log.
  default boolean reportsProgress() {
    return false;
  }

  /// True if a call is only short work in the database: then its effect and its record are one
  /// transaction. It may be called again if that transaction is retried.
  default boolean isOneTransaction() {
    return false;
  }
}
