package dev.substrat.tool;

import dev.substrat.platform.json.JsonSchema;
import java.util.Locale;

/// Name, texts and schemas of a tool, as shown to its callers.
public interface ToolDescription {
  String name();

  /// The name as people read it.
  default String title() {
    String words = name().replace('_', ' ');
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /// Description for models: what the tool does, when to use it, what it returns and when.
  String description();

  JsonSchema input();

  /// Schema of results and failures.
  JsonSchema output();

  ToolEffect effect();

  /// True if it reaches systems outside of the daemon.
  default boolean isOpenWorld() {
    return false;
  }
}
