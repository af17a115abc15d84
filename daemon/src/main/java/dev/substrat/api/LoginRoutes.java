package dev.substrat.api;

import dev.substrat.credential.Credentials;
import dev.substrat.credential.LoginCodes;
import dev.substrat.fault.Fault;
import dev.substrat.http.Exchange;
import dev.substrat.http.Reply;
import dev.substrat.http.Route;
import dev.substrat.http.Route.Access;
import dev.substrat.id.Principal;
import dev.substrat.protocol.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// How a browser gets in: by a one-time link, or by the operator's token. Either way it keeps a
/// session in a cookie that scripts cannot read and other sites cannot send.
public final class LoginRoutes {
  private static final Duration SESSION = Duration.ofDays(7);

  private final Credentials credentials;
  private final LoginCodes codes;
  private final SystemRoutes.Address address;

  public LoginRoutes(Credentials credentials, LoginCodes codes, SystemRoutes.Address address) {
    this.credentials = credentials;
    this.codes = codes;
    this.address = address;
  }

  /// Somebody who says they are the operator.
  public record Claim(String token) {}

  public List<Route> routes() {
    return List.of(
        Route.write(
            "/api/login-links",
            Access.OPERATOR,
            "A link that opens the console once, within 15 minutes.",
            null,
            _ -> Reply.created(Map.of("url", address.url() + "/login?code=" + codes.fresh()))),
        Route.read("/login", Access.PUBLIC, "Opens the console by a one-time link.", this::byCode)
            .taking("code", "From POST /api/login-links."),
        Route.write(
            "/login", Access.PUBLIC, "Opens the console by token.", Claim.class, this::byToken));
  }

  private Reply byCode(Exchange exchange) {
    // Somebody is looking at this in a browser: the page says the rest.
    return codes.use(exchange.query("code").orElse("")) ? session(303) : toPage("/?link=used");
  }

  private Reply byToken(Exchange exchange) {
    var claimed = credentials.admit(exchange.body(Claim.class).token());
    if (claimed.filter(principal -> principal instanceof Principal.Operator).isEmpty()) {
      throw refused("this is not the operator's token");
    }
    return session(204);
  }

  private Reply session(int status) {
    String token =
        credentials.mintUntil(new Principal.Operator(), "console session", SESSION).text();
    String cookie =
        "%s=%s; Path=/; HttpOnly; SameSite=Strict; Max-Age=%d"
            .formatted(Exchange.SESSION_COOKIE, token, SESSION.toSeconds());
    return new Reply.Content(
        status, "text/plain", "", Map.of("Set-Cookie", cookie, "Location", "/"));
  }

  private static Reply toPage(String location) {
    return new Reply.Content(303, "text/plain", "", Map.of("Location", location));
  }

  private static Fault refused(String message) {
    return new Fault(
        ErrorCode.UNAUTHORIZED, message, "open the console and paste the operator's token");
  }
}
