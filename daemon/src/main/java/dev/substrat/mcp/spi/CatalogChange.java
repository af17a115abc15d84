package dev.substrat.mcp.spi;

/// Change that a client can be notified of.
public sealed interface CatalogChange {

  /// A list has changed.
  enum CatalogListChange implements CatalogChange {
    TOOLS,
    PROMPTS,
    RESOURCES
  }

  /// A resource has changed.
  record ResourceChange(String uri) implements CatalogChange {}

  /// The state of a task has changed.
  record TaskChange(String id) implements CatalogChange {}
}
