package dev.substrat.console.agents;

import java.util.List;

/// What there is to choose from in the builder.
public record Choices(
    List<ProviderChoice> providers,
    List<String> parents,
    List<Choice> toolsets,
    List<String> colours,
    List<Choice> limits,
    List<Choice> templates) {

  /// Something with a name and what it means.
  public record Choice(String name, String meaning) {}

  /// What can think for an agent; `models` are those it knows, none if any name will do. `problem`
  /// is why it cannot be had on this machine, or empty.
  public record ProviderChoice(String name, List<String> models, String problem) {}
}
