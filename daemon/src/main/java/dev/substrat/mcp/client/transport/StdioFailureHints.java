package dev.substrat.mcp.client.transport;

import java.util.Optional;
import java.util.regex.Pattern;

/// Hints for failures of a stdio server that its sandbox causes, recognised by the error texts of
/// Node, Python, Go and the C library.
public final class StdioFailureHints {
  private static final Pattern NO_WRITING =
      Pattern.compile("EROFS|read-only file ?system", Pattern.CASE_INSENSITIVE);

  private static final Pattern NO_NETWORK =
      Pattern.compile(
          "it has no network|EAI_AGAIN|ENOTFOUND|ENETUNREACH|network is unreachable|getaddrinfo"
              + "|name resolution|could not resolve host|network connectivity"
              + "|dial tcp|failed to lookup address",
          Pattern.CASE_INSENSITIVE);

  private StdioFailureHints() {}

  /// What a person can change in the server's configuration; empty if the text is unrelated to the
  /// sandbox.
  public static Optional<String> of(String words) {
    if (NO_WRITING.matcher(words).find()) {
      return Optional.of(
          "the sandbox allows writing only to \"paths\" with mode rw in the server's configuration;"
              + " a person can add the directory");
    }
    if (NO_NETWORK.matcher(words).find()) {
      return Optional.of(
          "the program has network access only with `network: true` in the server's configuration;"
              + " a person can set it");
    }
    return Optional.empty();
  }
}
