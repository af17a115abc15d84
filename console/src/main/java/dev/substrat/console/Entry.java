package dev.substrat.console;

/// A name and what it stands for, as it was given. `isCode` if it is more than words.
public record Entry(String name, String value, boolean isCode, boolean isCut) {}
