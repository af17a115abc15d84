package dev.substrat.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.JsonSchema;
import dev.substrat.team.Agent;
import dev.substrat.tool.execution.InlinePolicy;
import org.jspecify.annotations.Nullable;

/// A tool that behaves like another tool, except for the methods that it overrides.
public interface DelegatingTool extends Tool {
  Tool tool();

  @Override
  default String name() {
    return tool().name();
  }

  @Override
  default String title() {
    return tool().title();
  }

  @Override
  default String description() {
    return tool().description();
  }

  @Override
  default JsonSchema input() {
    return tool().input();
  }

  @Override
  default JsonSchema output() {
    return tool().output();
  }

  @Override
  default ToolEffect effect() {
    return tool().effect();
  }

  @Override
  default boolean isOpenWorld() {
    return tool().isOpenWorld();
  }

  @Override
  default ToolResult call(ToolCall call, ObjectNode arguments) {
    return tool().call(call, arguments);
  }

  @Override
  default ObjectNode repair(ObjectNode arguments) {
    return tool().repair(arguments);
  }

  @Override
  default boolean isListedFor(Agent agent) {
    return tool().isListedFor(agent);
  }

  @Override
  default @Nullable String server() {
    return tool().server();
  }

  @Override
  default @Nullable InlinePolicy deferral() {
    return tool().deferral();
  }

  @Override
  default boolean isShown() {
    return tool().isShown();
  }

  @Override
  default boolean reportsProgress() {
    return tool().reportsProgress();
  }

  @Override
  default boolean isOneTransaction() {
    return tool().isOneTransaction();
  }
}
