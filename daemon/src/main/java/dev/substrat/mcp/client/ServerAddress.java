package dev.substrat.mcp.client;

import dev.substrat.platform.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Address of a server with all secrets filled in: never stored, never shown.
public sealed interface ServerAddress {

  /// Streamable HTTP of either era, with a fallback to HTTP with SSE.
  record HttpAddress(String url, Map<String, String> headers) implements ServerAddress {
    @Override
    public String toString() {
      return "Http[…]";
    }
  }

  /// The HTTP with SSE transport of 2024: an event stream, and a URL to post to.
  record SseAddress(String url, Map<String, String> headers) implements ServerAddress {
    @Override
    public String toString() {
      return "Sse[…]";
    }
  }

  /// A local program that speaks MCP over stdio. `hidden` are directories it must not see; `redact`
  /// removes secrets from its output.
  record ProgramAddress(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      ProgramRights access,
      List<Path> hidden,
      UnaryOperator<String> redact)
      implements ServerAddress {
    @Override
    public String toString() {
      return "Program[…]";
    }
  }

  /// Access of a program: network, and `paths` of this machine. Without paths it reads every file
  /// that is not hidden; with them it sees those, the system's programs and its own package. `own`
  /// are writable folders for its caches.
  record ProgramRights(boolean hasNetwork, List<SandboxPolicy.VisiblePath> paths, List<Path> own) {
    /// Reads the files of this machine and has no other access.
    public static final ProgramRights READ_ONLY = new ProgramRights(false, List.of(), List.of());
  }
}
