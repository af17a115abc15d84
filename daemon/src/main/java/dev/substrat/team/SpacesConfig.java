package dev.substrat.team;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Configuration of an agent's behavior in spaces.
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SpacesConfig(
    @JsonPropertyDescription(
            "Final text of a turn that a message in a space started, if the turn posted nothing in"
                + " that space: keep (default: record the text) or post. In a DM with a person, the"
                + " final text is always posted.")
        @Nullable FinalTextHandling finalText) {

  static final SpacesConfig DEFAULT = new SpacesConfig(null);

  /// Whether a final text becomes a message in the space.
  public enum FinalTextHandling {
    /// Keeps it on the run; the space shows that the turn finished without posting.
    KEEP,
    /// Posts it.
    POST;

    @Override
    @JsonValue
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public boolean postsFinalText() {
    return finalText == FinalTextHandling.POST;
  }
}
