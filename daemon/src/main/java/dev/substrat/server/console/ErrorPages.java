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

/// What people see who cannot be shown what they asked for: a page that says why, or the way in.
final class ErrorPages implements ErrorPageRenderer {
  /// Where programs ask.
  private static final List<String> PROGRAMS = List.of("/api/", "/mcp", "/metrics", "/healthz");

  /// What to call or to type, behind the words that say what it is for.
  private static final Pattern FOR_PROGRAMS =
      Pattern.compile(" \\((?:GET|POST|PUT|PATCH|DELETE|\\./substrat) [^()]*\\)");

  private final String assets;

  ErrorPages(String assets) {
    this.assets = assets;
  }

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
    // What else programs could ask for is no comfort to a person.
    String hint =
        fault.code() == ErrorCode.NOT_FOUND
            ? "it may have moved"
            : FOR_PROGRAMS.matcher(fault.hint()).replaceAll("");
    return Optional.of(
        PageReply.of(
            status, new ErrorPage(assets, status, fault.code().name(), fault.message(), hint)));
  }

  /// Tokens are for programs; a person had a session.
  private ErrorPage loggedOut(int status) {
    return new ErrorPage(
        assets,
        status,
        ErrorCode.UNAUTHORIZED.name(),
        "you are logged out",
        "log in in another tab, then send it again here");
  }
}
