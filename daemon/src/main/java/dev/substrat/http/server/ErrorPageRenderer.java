package dev.substrat.http.server;

import dev.substrat.protocol.Fault;
import java.util.Optional;

/// Renders a failure as an HTML page. Declared here, implemented by the console.
@FunctionalInterface
public interface ErrorPageRenderer {
  /// Without HTML pages.
  ErrorPageRenderer NONE = (_, _, _) -> Optional.empty();

  /// A page about what went wrong at `target` (path and query); empty if programs ask there.
  Optional<HttpReply> page(String method, String target, Fault fault);
}
