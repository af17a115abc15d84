package dev.substrat.server.console;

import dev.substrat.access.credential.BrowserSessions;
import dev.substrat.access.credential.Credentials;
import dev.substrat.access.credential.LoginCodes;
import dev.substrat.access.credential.Token;
import dev.substrat.console.LoginPage;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.platform.identity.CredentialId;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.server.api.SystemRoutes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Sign-in of browsers: by a one-time link, or by the token of the operator or of a person. The
/// session is kept in a cookie that scripts cannot read and other sites cannot send.
///
/// Cookies are not bound to a port: every other server on the same host name receives them.
/// Therefore a session is accepted only as a cookie in requests from our own pages.
record LoginRoutes(
    Credentials credentials,
    BrowserSessions sessions,
    LoginCodes codes,
    SystemRoutes.Address address,
    String assets) {

  private static final Duration SESSION = Duration.ofDays(7);

  /// Body of a sign-in request.
  public record LoginRequest(String token) {}

  List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write(
            "/api/login-links",
            RouteAccess.HUMAN,
            "Creates a one-time sign-in link, valid for 15 minutes.",
            null,
            this::link),
        HttpRoute.read("/login", RouteAccess.PUBLIC, "Sign-in page of the console.", this::page)
            .withQuery("code", "Code from POST /api/login-links; signs in immediately.")
            .withQuery("next", "Page to open after sign-in."),
        HttpRoute.write(
            "/login",
            RouteAccess.PUBLIC,
            "Signs in with a token.",
            LoginRequest.class,
            this::byToken),
        HttpRoute.write("/logout", RouteAccess.PUBLIC, "Signs out.", null, this::logout));
  }

  private HttpReply link(HttpExchange exchange) {
    CredentialId by = exchange.credential().flatMap(Token::parse).map(Token::id).orElseThrow();
    return HttpReply.created(
        Map.of("url", address.publicUrl() + "/login?code=" + codes.create(by)));
  }

  private HttpReply page(HttpExchange exchange) {
    Optional<String> code = exchange.query("code");
    Optional<HttpReply> opened =
        code.flatMap(codes::use).flatMap(by -> session(exchange, 303, by, "/"));
    if (opened.isPresent()) {
      return opened.get();
    }
    String problem = code.isPresent() ? "This link is expired or was already used." : "";
    return PageReply.ok(new LoginPage(assets, next(exchange.query("next").orElse("/")), problem));
  }

  private HttpReply byToken(HttpExchange exchange) {
    if (exchange.isForm()) {
      var form = exchange.form();
      String next = next(form.text("next"));
      return person(form.text("token").strip())
          .flatMap(by -> session(exchange, 303, by, next))
          .orElseGet(() ->
              PageReply.of(
                  401, new LoginPage(assets, next, "This token is not valid for the console.")));
    }
    return person(exchange.body(LoginRequest.class).token())
        .flatMap(by -> session(exchange, 204, by, "/"))
        .orElseThrow(() ->
            ErrorCode.UNAUTHORIZED.fault(
                "this is not a token of the operator or a person",
                "paste the operator's token on the sign-in page"));
  }

  /// Tokens of agents are rejected.
  private Optional<CredentialId> person(String token) {
    return credentials
        .authenticate(token)
        .filter(caller -> caller.principal().role() != null)
        .flatMap(_ -> Token.parse(token))
        .map(Token::id);
  }

  /// Only local paths, to prevent open redirects.
  private static String next(String wanted) {
    boolean isOurs =
        wanted.startsWith("/")
            && !wanted.startsWith("//")
            && !wanted.contains("\\")
            && wanted.chars().allMatch(c -> c > ' ' && c < 127);
    return isOurs ? wanted : "/";
  }

  /// The session ends when its token is revoked.
  private Optional<HttpReply> session(
      HttpExchange exchange, int status, CredentialId by, String next) {
    return sessions
        .open(by, SESSION)
        .map(session ->
            Map.of("Set-Cookie", cookie(exchange, session.text(), SESSION), "Location", next))
        .<HttpReply>map(headers -> new HttpReply.ContentReply(status, "text/plain", "", headers));
  }

  /// Revokes the session.
  private HttpReply logout(HttpExchange exchange) {
    exchange.form();
    exchange
        .cookie(HttpExchange.SESSION_COOKIE)
        .filter(text -> credentials.authenticateSession(text).isPresent())
        .flatMap(Token::parse)
        .ifPresent(token -> credentials.revoke(token.id()));
    return new HttpReply.ContentReply(
        303,
        "text/plain",
        "",
        Map.of("Set-Cookie", cookie(exchange, "", Duration.ZERO), "Location", "/login"));
  }

  /// Over HTTPS the cookie is `Secure`: browsers do not send it to a plain HTTP server on the same
  /// host.
  private static String cookie(HttpExchange exchange, String token, Duration age) {
    return "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d%s"
        .formatted(
            HttpExchange.SESSION_COOKIE,
            token,
            age.toSeconds(),
            exchange.isHttps() ? "; Secure" : "");
  }
}
