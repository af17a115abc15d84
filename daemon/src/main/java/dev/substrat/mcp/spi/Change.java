package dev.substrat.mcp.spi;

/// Something a client may want to hear of without asking.
public sealed interface Change {

  /// One of the lists is not what it was.
  enum Listing implements Change {
    TOOLS,
    PROMPTS,
    RESOURCES
  }

  /// One resource is not what it was.
  record Resource(String uri) implements Change {}

  /// A task has moved on.
  record OfTask(String id) implements Change {}
}
