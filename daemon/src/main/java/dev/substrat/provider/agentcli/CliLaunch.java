package dev.substrat.provider.agentcli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How a CLI is started: command line, additional environment, files in its home directory (by
/// relative path), and stdin.
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
