package dev.substrat.cli.shell;

/// The few colours we use, each for a meaning.
public enum Style {
  STRONG("1"),
  FAINT("2"),
  GOOD("32"),
  DOUBTFUL("33"),
  BAD("31"),
  NAME("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /// The text must be clean: what is inside is printed as it is.
  public String paint(String text, boolean colours) {
    return colours && !text.isEmpty() ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
