package dev.substrat.console;

/// Something to look at: a template, and a record that is all the template knows.
public interface View {
  /// The template's path below `src/main/jte`, without its ending.
  String template();
}
