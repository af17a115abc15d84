package dev.substrat.mcp.client;

import dev.substrat.platform.sandbox.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// Address of a server with all secrets filled in: never stored, never shown.
public sealed interface ServerAddress {

  /// Streamable HTTP of either era, or what came before it if the server knows nothing else.
  record Http(String url, Map<String, String> headers) implements ServerAddress {
    @Override
    public String toString() {
      return "Http[…]";
    }
  }

  /// The transport of 2024: a stream of events, and an address to write to.
  record Sse(String url, Map<String, String> headers) implements ServerAddress {
    @Override
    public String toString() {
      return "Sse[…]";
    }
  }

  /// A local program that speaks MCP over stdio. `hidden` are directories it must not see; `redact`
  /// removes secrets from its output.
  record Program(
      List<String> command,
      Path directory,
      Map<String, String> environment,
      Access access,
      List<Path> hidden,
      UnaryOperator<String> redact)
      implements ServerAddress {
    @Override
    public String toString() {
      return "Program[…]";
    }
  }

  /// What a program may use: the network, and `paths` of this machine. Without paths it reads every
  /// file that is not hidden; with them it sees those, the system's programs and its own package.
  /// `own` are folders for its caches, which it may write in either case.
  record Access(boolean hasNetwork, List<SandboxPolicy.VisiblePath> paths, List<Path> own) {
    /// Reads this machine's files, and nothing else.
    public static final Access READ_ONLY = new Access(false, List.of(), List.of());
  }
}
