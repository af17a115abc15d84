package dev.substrat.console;

/// An agent or a person as shown on a page. `path` links to its page, or is empty if the viewer has
/// no access to it.
public record DisplayedPrincipal(String handle, String path, Avatar avatar) {}
