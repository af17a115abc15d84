package dev.substrat.console;

/// A name and its value. `isCode` if the value is not plain text; `missing` is the number of
/// characters that are not shown.
public record NamedValue(String name, String value, boolean isCode, int missing) {}
