package dev.substrat.mcp.server;

import dev.substrat.mcp.spi.CatalogChange;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.McpLogLevel;
import dev.substrat.mcp.spi.ProtocolError;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Session of a client of the legacy era. Safe for many threads.
final class McpSession {
  /// More would be a client that subscribes to everything it reads.
  private static final int MAX_RESOURCES = 1_000;

  /// The usual URL limit of browsers; all of them are kept in memory.
  static final int MAX_URI_LENGTH = 2_000;

  private final McpClientInfo client;
  private final Set<String> resources = ConcurrentHashMap.newKeySet();
  private volatile McpLogLevel level = McpLogLevel.INFO;
  private volatile boolean ended;

  McpSession(McpClientInfo client) {
    this.client = client;
  }

  McpClientInfo client() {
    return client;
  }

  McpLogLevel level() {
    return level;
  }

  void level(McpLogLevel newLevel) {
    level = newLevel;
  }

  void subscribe(String uri) {
    if (uri.length() > MAX_URI_LENGTH) {
      throw ProtocolError.badParams("/params/uri has more than " + MAX_URI_LENGTH + " characters");
    }
    if (resources.size() >= MAX_RESOURCES) {
      throw ProtocolError.notNow(
          "this session already has the maximum of " + MAX_RESOURCES + " subscriptions");
    }
    resources.add(uri);
  }

  int subscriptions() {
    return resources.size();
  }

  void unsubscribe(String uri) {
    resources.remove(uri);
  }

  /// Whether the client subscribed to it.
  boolean wants(CatalogChange change) {
    return switch (change) {
      case CatalogChange.CatalogListChange _ -> true;
      case CatalogChange.ResourceChange resource -> resources.contains(resource.uri());
      case CatalogChange.TaskChange _ -> false;
    };
  }

  void end() {
    ended = true;
  }

  boolean isOver() {
    return ended;
  }
}
