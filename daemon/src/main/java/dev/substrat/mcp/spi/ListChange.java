package dev.substrat.mcp.spi;

/// Change that a client can be notified of.
public sealed interface ListChange {

  /// One of the lists is not what it was.
  enum Listing implements ListChange {
    TOOLS,
    PROMPTS,
    RESOURCES
  }

  /// One resource is not what it was.
  record Resource(String uri) implements ListChange {}

  /// A task has moved on.
  record OfTask(String id) implements ListChange {}
}
