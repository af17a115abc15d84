package dev.substrat.team;

import dev.substrat.platform.json.Json;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Cache of parsed agent configurations, keyed by their text. Parsed configurations are immutable,
/// and every tool call needs one.
final class ParsedConfigCache {
  /// More than the number of active agents; long configurations are rare.
  private static final int MOST = 1_000;

  private static final Map<String, AgentConfig> READ = new ConcurrentHashMap<>();

  private ParsedConfigCache() {}

  static AgentConfig of(String text) {
    AgentConfig known = READ.get(text);
    if (known != null) {
      return known;
    }
    AgentConfig config = Json.as(Json.own(text), AgentConfig.class);
    if (READ.size() >= MOST) {
      // Entries in use are soon cached again; tracking use would cost more.
      READ.clear();
    }
    READ.put(text, config);
    return config;
  }
}
