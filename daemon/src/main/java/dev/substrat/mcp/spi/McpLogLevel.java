package dev.substrat.mcp.spi;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// Log level of MCP, in ascending order.
public enum McpLogLevel {
  DEBUG,
  INFO,
  NOTICE,
  WARNING,
  ERROR,
  CRITICAL,
  ALERT,
  EMERGENCY;

  public static Optional<McpLogLevel> of(String word) {
    return Arrays.stream(values()).filter(level -> level.toString().equals(word)).findFirst();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
