package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/// How a tool's call is displayed to people.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolDisplay(
    @JsonPropertyDescription(
            "Component: confirmAction, approval, choice, text, form, or your own component.")
        @Nullable String customUI,
    @JsonPropertyDescription("Heading of the question.") @Nullable String title) {

  static final ToolDisplay NONE = new ToolDisplay(null, null);
}
