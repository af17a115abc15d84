package dev.substrat.console;

/// A part of the console, as the navigation names it. The order is the navigation's.
public enum ConsoleSection {
  AGENTS("/agents", "Agents", "a"),
  TEAM("/team", "Team", "t"),
  SPACES("/spaces", "Spaces", "s"),
  APPROVALS("/approvals", "Approvals", "p"),
  RUNS("/runs", "Runs", "r"),
  MAIL("/mail", "Mail", "m"),
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

  /// Pressed after `g`, it leads there.
  public String shortcut() {
    return "g " + key;
  }

  /// How the icons are called.
  public String icon() {
    return path.substring(1);
  }
}
