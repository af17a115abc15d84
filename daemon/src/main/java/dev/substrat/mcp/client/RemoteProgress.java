package dev.substrat.mcp.client;

import java.util.OptionalDouble;

/// Hears how far a call is.
@FunctionalInterface
public interface RemoteProgress {
  RemoteProgress IGNORED = (_, _, _) -> {};

  void report(double done, OptionalDouble total, String message);
}
