package dev.substrat.server.console;

import dev.substrat.console.ErrorPage;
import dev.substrat.http.server.ErrorPageRenderer;
import dev.substrat.http.server.HttpReply;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Error pages for browsers: a page with the error, or a redirect to sign-in.
record ErrorPages(String assets) implements ErrorPageRenderer {
  /// Paths that answer programs with JSON.
  private static final List<String> PROGRAMS =
      List.of("/api/", "/mcp", "/metrics", "/healthz", "/readyz");

  /// Command or endpoint in brackets at the end of a hint.
  private static final Pattern FOR_PROGRAMS =
      Pattern.compile(" \\((?:GET|POST|PUT|PATCH|DELETE|\\./substrat) [^()]*\\)");

  @Override
  public Optional<HttpReply> page(String method, String target, Fault fault) {
    if (PROGRAMS.stream().anyMatch(target::startsWith)) {
      return Optional.empty();
    }
    if (fault.code() == ErrorCode.UNAUTHORIZED && method.equals("GET")) {
      String next = URLEncoder.encode(target, StandardCharsets.UTF_8);
      return Optional.of(PageReply.goTo("/login?next=" + next));
    }
    int status = fault.code().status();
    if (fault.code() == ErrorCode.UNAUTHORIZED) {
      return Optional.of(PageReply.of(status, loggedOut(status)));
    }
    // Hints of this code list API paths, which do not help in a browser.
    String hint =
        fault.code() == ErrorCode.NOT_FOUND
            ? "check the address"
            : FOR_PROGRAMS.matcher(fault.hint()).replaceAll("");
    return Optional.of(
        PageReply.of(
            status, new ErrorPage(assets, status, fault.code().name(), fault.message(), hint)));
  }

  /// The fault speaks of tokens; a browser had a session.
  private ErrorPage loggedOut(int status) {
    return new ErrorPage(
        assets,
        status,
        ErrorCode.UNAUTHORIZED.name(),
        "you are signed out",
        "sign in in another tab, then send the form again here");
  }
}
