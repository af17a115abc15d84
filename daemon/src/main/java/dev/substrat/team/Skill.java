package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Something an agent is good at: a text for its mind that a person can switch on and off.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Skill(
    @JsonPropertyDescription("Its id for chats elsewhere; made of the name if missing.")
        @Nullable String id,
    @JsonPropertyDescription("What people call it.") String name,
    @JsonPropertyDescription("The text that the agent's mind is given.")
        @Nullable String description,
    @JsonPropertyDescription("Where it belongs among others.") @Nullable String category,
    @JsonPropertyDescription("false: the agent does without it. Default: true.")
        @Nullable Boolean enabled,
    @JsonPropertyDescription("Names of skills without which this one does not count.")
        @Nullable List<String> requires) {

  /// Whether a person wants it; whether it counts is decided among all of them.
  @JsonIgnore
  public boolean isOn() {
    return enabled == null || enabled;
  }

  /// What it cannot do without.
  public List<String> requiresOrNone() {
    return requires == null ? List.of() : requires;
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
