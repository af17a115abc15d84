package dev.substrat.console;

/// A section of the console, in the order of the navigation.
public enum ConsoleSection {
  AGENTS("/agents", "Agents", "a"),
  TEAM("/team", "Team", "t"),
  SPACES("/spaces", "Spaces", "s"),
  APPROVALS("/approvals", "Approvals", "p"),
  RUNS("/runs", "Runs", "r"),
  MAIL("/mail", "Messages", "m"),
  HEALTH("/health", "Health", "h");

  private final String path;
  private final String title;
  private final String key;

  ConsoleSection(String path, String title, String key) {
    this.path = path;
    this.title = title;
    this.key = key;
  }

  public String path() {
    return path;
  }

  public String title() {
    return title;
  }

  /// Key sequence that opens the section.
  public String shortcut() {
    return "g " + key;
  }

  /// Name of its icon in [Icons].
  public String icon() {
    return path.substring(1);
  }
}
