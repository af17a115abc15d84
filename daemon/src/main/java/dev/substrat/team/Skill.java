package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Skill of an agent: a text of its prompt that a person can switch on and off.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Skill(
    @JsonPropertyDescription("Id for external chats. Default: derived from the name.")
        @Nullable String id,
    @JsonPropertyDescription("Display name.") String name,
    @JsonPropertyDescription("Text added to the agent's prompt.") @Nullable String description,
    @JsonPropertyDescription("Name of its category.") @Nullable String category,
    @JsonPropertyDescription("false: not used. Default: true.") @Nullable Boolean enabled,
    @JsonPropertyDescription("Names of skills that this skill requires.")
        @Nullable List<String> requires) {

  /// Whether a person switched it on; whether it is active depends on the skills it requires.
  @JsonIgnore
  public boolean isOn() {
    return enabled == null || enabled;
  }

  /// Names of the skills it requires.
  public List<String> requiresOrNone() {
    return requires == null ? List.of() : requires;
  }

  /// The description; empty if there is none.
  public String text() {
    return description == null ? "" : description.strip();
  }

  /// Section of the prompt.
  public String section() {
    return text().isEmpty() ? "### " + name : "### " + name + "\n" + text();
  }
}
