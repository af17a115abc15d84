package dev.substrat.http.server;

import dev.substrat.protocol.Fault;
import java.util.Optional;

/// How a failure is told to somebody who looks at pages. This package knows that there are such
/// people; what they see is somebody else's.
@FunctionalInterface
public interface ErrorPageRenderer {
  /// Nobody here looks at pages.
  ErrorPageRenderer NONE = (_, _, _) -> Optional.empty();

  /// A page about what went wrong at `target` (path and query); empty if programs ask there.
  Optional<HttpReply> page(String method, String target, Fault fault);
}
