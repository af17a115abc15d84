package dev.substrat.console;

/// A name and what it stands for, as it was given. `isCode` if it is more than words; `missing` is
/// how many characters of the value are not shown.
public record NamedValue(String name, String value, boolean isCode, int missing) {}
