package dev.substrat.http.server;

import dev.substrat.protocol.Fault;
import java.util.Optional;

/// Renders a failure as an HTML page. Declared here, implemented by the console.
@FunctionalInterface
public interface ErrorPageRenderer {
  /// Without HTML pages.
  ErrorPageRenderer NONE = (_, _, _) -> Optional.empty();

  /// An error page for `target` (path and query); empty if the path is for programs.
  Optional<HttpReply> page(String method, String target, Fault fault);
}
