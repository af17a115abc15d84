package dev.substrat.mcp.client;

import java.util.OptionalDouble;

/// Receives progress notifications of a call.
@FunctionalInterface
public interface RemoteProgress {
  RemoteProgress IGNORED = (_, _, _) -> {};

  void report(double done, OptionalDouble total, String message);
}
