package dev.substrat.mcp.spi;

/// Change that a client can be notified of.
public sealed interface ListChange {

  /// A list has changed.
  enum Listing implements ListChange {
    TOOLS,
    PROMPTS,
    RESOURCES
  }

  /// A resource has changed.
  record Resource(String uri) implements ListChange {}

  /// The state of a task has changed.
  record OfTask(String id) implements ListChange {}
}
