package dev.substrat.agentcli.known;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The words of a command line, one after another.
final class Words {
  private final List<String> words;

  Words(List<String> first) {
    this.words = new ArrayList<>(first);
  }

  Words add(String... more) {
    words.addAll(List.of(more));
    return this;
  }

  Words addAll(List<String> more) {
    words.addAll(more);
    return this;
  }

  /// An option that is left out if it has no value.
  Words option(String name, @Nullable String value) {
    return value == null ? this : add(name, value);
  }

  List<String> list() {
    return List.copyOf(words);
  }
}
