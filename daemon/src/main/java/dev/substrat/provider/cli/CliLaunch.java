package dev.substrat.provider.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a CLI is started: its words, its environment beside what every program has, the files it
/// finds in its home (by their paths there), and what it reads on stdin.
public record CliLaunch(
    List<String> words,
    Map<String, String> environment,
    Map<String, String> files,
    @Nullable String input) {

  public CliLaunch {
    words = List.copyOf(words);
    environment = Map.copyOf(environment);
    files = Map.copyOf(files);
  }

  /// With variables that win over its own.
  CliLaunch with(Map<String, String> more) {
    var all = new LinkedHashMap<>(environment);
    all.putAll(more);
    return new CliLaunch(words, all, files, input);
  }
}
