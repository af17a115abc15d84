package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Custom tool: its description for agents, where it is executed, and whether people see its calls.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CustomToolConfig(
    @JsonPropertyDescription("Name of the tool.") String name,
    @JsonPropertyDescription(
            "What the tool does and when to use it, for the agent. Default: the tool's name.")
        @Nullable String description,
    @JsonPropertyDescription("JSON Schema of the arguments. Default: any object.")
        @Nullable ObjectNode inputSchema,
    ExecutionType executionType,
    @JsonPropertyDescription("true: show calls and results in the agent's space.")
        @Nullable Boolean visible,
    @Nullable ToolExecution execution,
    @Nullable ToolDisplay display,
    @JsonPropertyDescription("Middleware around each call, in this order.")
        @Nullable List<JsonNode> middleware) {

  /// Description for the agent; default: its name as words (`fetchWeather` is "Fetch weather").
  @JsonIgnore
  public String descriptionOrName() {
    if (description != null && !description.isBlank()) {
      return description;
    }
    String words =
        name.replaceAll("(?<=[a-z0-9])(?=[A-Z])|[_-]+", " ").strip().toLowerCase(Locale.ROOT);
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + ".";
  }

  /// Display of its calls: `display`, or the same key inside `execution`.
  @JsonIgnore
  public ToolDisplay displayOrNone() {
    if (display != null) {
      return display;
    }
    ToolDisplay inside = executionOrNone().display();
    return inside == null ? ToolDisplay.NONE : inside;
  }

  /// Effective value: only internal tools are not shown.
  @JsonIgnore
  public boolean isShown() {
    return visible == null ? executionType != ExecutionType.INTERNAL : visible;
  }

  /// Effective value.
  @JsonIgnore
  public ToolExecution executionOrNone() {
    return execution == null ? ToolExecution.NONE : execution;
  }

  /// True if the result comes later from a service.
  @JsonIgnore
  public boolean isExternalCallback() {
    return executionType == ExecutionType.EXTERNAL
        && executionOrNone().address() != null
        && Boolean.TRUE.equals(executionOrNone().callback());
  }

  /// True if nothing is called, and a person or service provides the result later.
  @JsonIgnore
  public boolean isAnsweredLater() {
    return executionType == ExecutionType.SPACE
        || (executionType == ExecutionType.EXTERNAL && executionOrNone().address() == null);
  }
}
