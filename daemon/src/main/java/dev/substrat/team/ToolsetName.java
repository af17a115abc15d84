package dev.substrat.team;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Names of the toolsets. Unknown names are rejected.
public enum ToolsetName {
  TEAM("message teammates, spawn and inspect agents"),
  SPACES("join spaces, read and post messages"),
  CHANNELS("post to channels by name, add reactions"),
  MEMORY("store and search memory blocks and passages"),
  GOALS("goals and scheduled wake-ups (plans)"),
  WORKSPACE("read, write and search files, run commands"),
  CONTROL("pause, wake and monitor other agents; reminders; metadata");

  /// Toolsets of an agent without the key.
  public static final List<String> DEFAULTS =
      Stream.of(TEAM, SPACES, MEMORY, GOALS).map(ToolsetName::word).toList();

  private final String meaning;

  ToolsetName(String meaning) {
    this.meaning = meaning;
  }

  /// Name in configurations.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Short description.
  public String meaning() {
    return meaning;
  }

  public static List<String> words() {
    return Stream.of(values()).map(ToolsetName::word).toList();
  }
}
