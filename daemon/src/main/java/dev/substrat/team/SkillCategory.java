package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Category of skills, for display.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SkillCategory(
    @JsonPropertyDescription("Name, as used in skills.") String name,
    @JsonPropertyDescription("Colour: stone (default), sky, moss, amber, rose, plum, iris or teal.")
        @Nullable String colour) {

  /// Distinguishable colours, in light and dark mode.
  public static final List<String> COLOURS =
      List.of("stone", "sky", "moss", "amber", "rose", "plum", "iris", "teal");
}
