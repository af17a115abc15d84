package dev.substrat.provider.agentcli.known;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Builder of a command line.
public final class CommandLineBuilder {
  private final List<String> words;

  public CommandLineBuilder(List<String> first) {
    this.words = new ArrayList<>(first);
  }

  public CommandLineBuilder add(String... more) {
    words.addAll(List.of(more));
    return this;
  }

  public CommandLineBuilder addAll(List<String> more) {
    words.addAll(more);
    return this;
  }

  /// An option that is left out if it has no value.
  CommandLineBuilder option(String name, @Nullable String value) {
    return value == null ? this : add(name, value);
  }

  public List<String> list() {
    return List.copyOf(words);
  }
}
