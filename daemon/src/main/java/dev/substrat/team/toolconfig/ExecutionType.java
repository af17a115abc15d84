package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/// Where a custom tool is executed.
public enum ExecutionType {
  /// The daemon does it, at once.
  @JsonProperty("gateway")
  GATEWAY,
  /// A service does it: at once if it has an address, else whenever it brings the result.
  @JsonProperty("external")
  EXTERNAL,
  /// A person does it, in the space the agent is in.
  @JsonProperty("space")
  SPACE,
  /// The daemon does it, at once, and no space ever shows it.
  @JsonProperty("internal")
  INTERNAL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
