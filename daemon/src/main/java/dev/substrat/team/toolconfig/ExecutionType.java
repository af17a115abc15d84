package dev.substrat.team.toolconfig;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/// Where a custom tool is executed.
public enum ExecutionType {
  /// The daemon executes it.
  @JsonProperty("gateway")
  GATEWAY,
  /// A service executes it: immediately if it has a URL, otherwise whenever it submits the result.
  @JsonProperty("external")
  EXTERNAL,
  /// A person does it, in the space the agent is in.
  @JsonProperty("space")
  SPACE,
  /// The daemon executes it, and no space shows it.
  @JsonProperty("internal")
  INTERNAL;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
