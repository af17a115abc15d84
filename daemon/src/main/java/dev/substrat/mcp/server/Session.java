package dev.substrat.mcp.server;

import dev.substrat.mcp.spi.Change;
import dev.substrat.mcp.spi.Client;
import dev.substrat.mcp.spi.LogLevel;
import dev.substrat.mcp.spi.Refusal;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What a client of the legacy era has set up. Safe for many threads.
final class Session {
  /// More would be a client that subscribes to everything it ever reads.
  private static final int MOST_RESOURCES = 1_000;

  /// What browsers agree on for an address; all of them are kept in memory.
  static final int LONGEST_URI = 2_000;

  private final Client client;
  private final Set<String> resources = ConcurrentHashMap.newKeySet();
  private volatile LogLevel level = LogLevel.INFO;
  private volatile boolean ended;

  Session(Client client) {
    this.client = client;
  }

  Client client() {
    return client;
  }

  LogLevel level() {
    return level;
  }

  void level(LogLevel newLevel) {
    level = newLevel;
  }

  void subscribe(String uri) {
    if (uri.length() > LONGEST_URI) {
      throw Refusal.badParams("/params/uri has more than " + LONGEST_URI + " characters");
    }
    if (resources.size() >= MOST_RESOURCES) {
      throw Refusal.notNow("this session has " + MOST_RESOURCES + " subscriptions already");
    }
    resources.add(uri);
  }

  int subscriptions() {
    return resources.size();
  }

  void unsubscribe(String uri) {
    resources.remove(uri);
  }

  /// Whether the client wants to hear of it without asking.
  boolean wants(Change change) {
    return switch (change) {
      case Change.Listing _ -> true;
      case Change.Resource resource -> resources.contains(resource.uri());
      case Change.OfTask _ -> false;
    };
  }

  void end() {
    ended = true;
  }

  boolean isOver() {
    return ended;
  }
}
