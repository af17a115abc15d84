package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/// Something an agent is good at: a text for its mind that a person can switch on and off.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Skill(
    @JsonPropertyDescription("What people call it.") String name,
    @JsonPropertyDescription("The text that the agent's mind is given.")
        @Nullable String description,
    @JsonPropertyDescription("Where it belongs among others.") @Nullable String category,
    @JsonPropertyDescription("false: the agent does without it. Default: true.")
        @Nullable Boolean enabled) {

  /// Whether the agent's mind is given it.
  public boolean counts() {
    return enabled == null || enabled;
  }

  /// What is told about it; empty if its name says it all.
  public String text() {
    return description == null ? "" : description.strip();
  }

  /// As a section of a prompt.
  public String section() {
    return text().isEmpty() ? "### " + name : "### " + name + "\n" + text();
  }
}
