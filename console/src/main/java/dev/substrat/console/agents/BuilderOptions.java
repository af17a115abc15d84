package dev.substrat.console.agents;

import java.util.List;

/// Options of the agent builder.
public record BuilderOptions(
    List<ProviderOption> providers,
    List<String> parents,
    List<NamedOption> toolsets,
    List<String> colours,
    List<LimitOption> limits,
    List<NamedOption> templates) {

  /// An option and its description.
  public record NamedOption(String name, String meaning) {}

  /// A limit; `label` is its display name.
  public record LimitOption(String name, String label, String meaning) {}

  /// Providers that are ready on this machine.
  public List<ProviderOption> ready() {
    return providers.stream().filter(one -> one.problem().isEmpty()).toList();
  }

  /// Providers that need a key, a login or a program.
  public List<ProviderOption> missing() {
    return providers.stream().filter(one -> !one.problem().isEmpty()).toList();
  }

  /// A provider; `models` are its known models, empty if it accepts any name. `problem` is why it
  /// is not ready on this machine, or empty.
  public record ProviderOption(String name, List<String> models, String problem) {}
}
