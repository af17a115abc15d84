package dev.substrat.provider.agentcli.known;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builder of the environment of a CLI.
final class CliEnvironment {
  private final Map<String, String> values = new LinkedHashMap<>();

  /// A variable that is left out if it has no value.
  CliEnvironment set(String name, @Nullable String value) {
    if (value != null) {
      values.put(name, value);
    }
    return this;
  }

  Map<String, String> map() {
    return values;
  }
}
