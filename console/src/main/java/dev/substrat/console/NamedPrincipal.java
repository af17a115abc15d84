package dev.substrat.console;

/// Somebody who is named on a page. `path` leads to them, or is empty where whoever looks may not
/// go there.
public record NamedPrincipal(String handle, String path, Avatar avatar) {}
