package dev.substrat.console;

/// A page or fragment: a record with all values of its template.
public interface View {
  /// Path of the template below `src/main/jte`, without extension.
  String template();
}
