package dev.substrat.console.agents;

import java.util.List;

/// What there is to choose from in the builder.
public record BuilderOptions(
    List<ProviderChoice> providers,
    List<String> parents,
    List<Choice> toolsets,
    List<String> colours,
    List<Limit> limits,
    List<Choice> templates) {

  /// Something with a name and what it means.
  public record Choice(String name, String meaning) {}

  /// How much an agent may do of something; `label` is what people call it.
  public record Limit(String name, String label, String meaning) {}

  /// Those that can be had on this machine.
  public List<ProviderChoice> ready() {
    return providers.stream().filter(one -> one.problem().isEmpty()).toList();
  }

  /// Those that need a key, a login or a program first.
  public List<ProviderChoice> missing() {
    return providers.stream().filter(one -> !one.problem().isEmpty()).toList();
  }

  /// What can think for an agent; `models` are those it knows, none if any name will do. `problem`
  /// is why it cannot be had on this machine, or empty.
  public record ProviderChoice(String name, List<String> models, String problem) {}
}
