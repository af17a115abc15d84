package dev.substrat.http.server;

import dev.substrat.platform.identity.AccessTarget;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.RequestActor;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.telemetry.Telemetry;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.opentelemetry.api.trace.SpanKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Handles every request with the same checks in the same order: origin, authentication, route,
/// authorization, size; then calls the handler.
///
/// Safe for many threads: it has no state per request.
public final class RequestPipeline implements AutoCloseable {
  private static final String BEARER = "Bearer ";
  private static final HeaderName FETCH_SITE = HeaderNames.create("Sec-Fetch-Site");

  private final HttpRouter router;
  private final OriginCheck origins;
  private final TokenAuthenticator authenticator;
  private final AccessTarget.TargetFinder targets;
  private final Telemetry telemetry;
  private final ErrorPageRenderer errorPages;
  private final SocketTimeouts deadlines = new SocketTimeouts();
  private final ClientConnection wire;
  private final RequestBodyReader bodies;
  private final ResponseWriter sender;
  private final StreamLimiter streams = new StreamLimiter();
  private final AuthThrottle failures = new AuthThrottle(System::nanoTime);
  private volatile boolean stopping;

  /// Without HTML error pages.
  public RequestPipeline(
      HttpRouter router,
      OriginCheck origins,
      TokenAuthenticator authenticator,
      Telemetry telemetry,
      ClientTimeouts timeout) {
    this(
        router,
        origins,
        new PipelineDependencies(
            authenticator, (_, _) -> AccessTarget.NONE, ErrorPageRenderer.NONE),
        telemetry,
        timeout);
  }

  public RequestPipeline(
      HttpRouter router,
      OriginCheck origins,
      PipelineDependencies entry,
      Telemetry telemetry,
      ClientTimeouts timeout) {
    this.router = router;
    this.origins = origins;
    this.authenticator = entry.authenticator();
    this.targets = entry.targets();
    this.telemetry = telemetry;
    this.errorPages = entry.errorPages();
    this.wire = new ClientConnection(deadlines, timeout.headers());
    this.bodies = new RequestBodyReader(deadlines, timeout.body(), wire);
    this.sender = new ResponseWriter(deadlines, timeout, wire, () -> stopping);
  }

  /// Authentication, targets of requests, and error pages.
  public record PipelineDependencies(
      TokenAuthenticator authenticator,
      AccessTarget.TargetFinder targets,
      ErrorPageRenderer errorPages) {}

  ClientConnection wire() {
    return wire;
  }

  /// Number of active deadlines.
  int openDeadlines() {
    return deadlines.count();
  }

  void answer(ServerRequest request, ServerResponse response) {
    long start = System.nanoTime();
    List<HttpRouter.RouteMatch> matches = router.at(request.path().rawPath());
    String pattern = matches.isEmpty() ? "none" : matches.getFirst().route().path();
    String method = request.prologue().method().text();
    HttpReply reply =
        telemetry.inSpan(
            method + " " + pattern,
            SpanKind.SERVER,
            Map.of("http.request.method", method, "http.route", pattern),
            () -> reply(request, response, matches));
    try {
      sender.send(reply, request, response);
    } finally {
      wire.answered();
      telemetry.time(
          "substrat.http.requests",
          Duration.ofNanos(System.nanoTime() - start),
          "route",
          pattern,
          "status",
          String.valueOf(response.status().code()));
    }
  }

  private HttpReply reply(
      ServerRequest request, ServerResponse response, List<HttpRouter.RouteMatch> matches) {
    String method = request.prologue().method().text();
    String path = request.path().rawPath();
    try {
      origins.require(
          request.headers().first(HeaderNames.HOST).orElse(""),
          request.headers().all(HeaderNames.ORIGIN, List::of),
          origins.isHttps(request));
      RouteAccess access = access(matches, method);
      CallerPermissions caller = access == RouteAccess.PUBLIC ? null : admit(request, access);
      if (matches.stream().noneMatch(match -> match.route().method().equals(method))
          && !matches.isEmpty()) {
        response.header(HeaderNames.ALLOW, HttpRouter.allowed(matches));
      }
      HttpRouter.RouteMatch match = HttpRouter.choose(matches, method, path);
      if (caller != null) {
        caller.require(match.route().access(), () -> target(match, request));
      }
      RequestBodyReader.requireSmall(request);
      HttpReply reply = handle(match, caller, request, response);
      return isRefusedLogin(reply)
          ? tooManyFailures(request, response)
              .map(fault -> errorReply(request, fault))
              .orElse(reply)
          : reply;
    } catch (CloseConnectionException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      Fault fault = HttpErrors.toFault(e, method + " " + path);
      // A browser whose session has ended is redirected to the login and not counted.
      boolean isFailure =
          fault.code() == ErrorCode.UNAUTHORIZED
              && (isPublic(matches, method) || bearer(request).isPresent());
      return errorReply(
          request, isFailure ? tooManyFailures(request, response).orElse(fault) : fault);
    }
  }

  /// Counts a failed authentication.
  private Optional<Fault> tooManyFailures(ServerRequest request, ServerResponse response) {
    Optional<Fault> refusal = failures.fail(request);
    if (refusal.isPresent()) {
      response.header(HeaderNames.RETRY_AFTER, String.valueOf(AuthThrottle.REFILL.toSeconds()));
    }
    return refusal;
  }

  /// A login form with a wrong token.
  private static boolean isRefusedLogin(HttpReply reply) {
    return reply instanceof HttpReply.ContentReply page
        && page.status() == ErrorCode.UNAUTHORIZED.status();
  }

  private HttpReply handle(
      HttpRouter.RouteMatch match,
      @Nullable CallerPermissions caller,
      ServerRequest request,
      ServerResponse response) {
    try (var body = bodies.of(request, caller == null)) {
      var exchange =
          new HttpExchange(
              request,
              match.names(),
              caller,
              origins.isHttps(request),
              body,
              () -> sender.open(request, response),
              () -> caller == null || isStillAllowed(request, match));
      HttpReply reply =
          RequestActor.call(
              caller == null ? null : caller.actor(), () -> handle(match.route(), exchange));
      if (reply instanceof HttpReply.EventStreamReply stream && caller != null) {
        String who = caller.account();
        streams.requireRoom(who);
        return streams.counted(who, stream);
      }
      return reply;
    }
  }

  /// Programs get JSON errors, browsers get pages.
  private HttpReply errorReply(ServerRequest request, Fault fault) {
    boolean wantsPage =
        request
            .headers()
            .first(HeaderNames.ACCEPT)
            .filter(one -> one.contains("text/html"))
            .isPresent();
    String query = request.query().rawValue();
    String target = request.path().rawPath() + (query.isEmpty() ? "" : "?" + query);
    return (wantsPage
            ? errorPages.page(request.prologue().method().text(), target, fault)
            : Optional.<HttpReply>empty())
        .orElseGet(() -> HttpErrors.reply(fault));
  }

  /// Once a stream has started, a failure can only be reported by closing the connection.
  private static HttpReply handle(HttpRoute route, HttpExchange exchange) {
    try {
      return route.handler().handle(exchange);
    } catch (RuntimeException | Error e) {
      if (!exchange.isStreaming()) {
        throw e;
      }
      throw new CloseConnectionException("the stream was interrupted", e);
    }
  }

  private static boolean isPublic(List<HttpRouter.RouteMatch> matches, String method) {
    return access(matches, method) == RouteAccess.PUBLIC;
  }

  /// A path that does not exist needs a token.
  private static RouteAccess access(List<HttpRouter.RouteMatch> matches, String method) {
    return matches.stream()
        .filter(match -> match.route().method().equals(method))
        .findFirst()
        .or(() -> matches.stream().findFirst())
        .map(match -> match.route().access())
        .orElse(RouteAccess.ANY_TOKEN);
  }

  private CallerPermissions admit(ServerRequest request, RouteAccess access) {
    boolean isSaid = bearer(request).isPresent() || session(request).isPresent();
    return caller(request, access)
        .orElseThrow(() ->
            ErrorCode.UNAUTHORIZED.fault(
                isSaid ? "the token is not valid" : "the request has no token",
                "send `Authorization: Bearer TOKEN`; the operator's token is in operator.token"));
  }

  private boolean isStillAllowed(ServerRequest request, HttpRouter.RouteMatch match) {
    return caller(request, match.route().access())
        .filter(one -> one.allows(match.route().access(), () -> target(match, request)))
        .isPresent();
  }

  private Optional<CallerPermissions> caller(ServerRequest request, RouteAccess access) {
    Optional<String> bearer = bearer(request);
    if (bearer.isPresent()) {
      return authenticator.authenticate(bearer.get(), access);
    }
    Optional<String> session = session(request);
    if (session.isEmpty()) {
      return authenticator.anonymous();
    }
    return isOfOurPages(request)
        ? authenticator.authenticateSession(session.get())
        : Optional.empty();
  }

  /// Checks that a request with a session cookie comes from our pages: browsers send the cookie
  /// with requests of every page on the same host name, on any port. The Origin header was already
  /// checked. Without one, browsers send Sec-Fetch-Site, but only to this machine and over HTTPS.
  private boolean isOfOurPages(ServerRequest request) {
    if (request.headers().contains(HeaderNames.ORIGIN)) {
      return true;
    }
    String host = request.headers().first(HeaderNames.HOST).orElse("");
    return request
        .headers()
        .first(FETCH_SITE)
        .map(site -> site.equals("same-origin") || site.equals("none"))
        .orElseGet(() -> !origins.isHttps(request) && !OriginCheck.isThisMachine(host));
  }

  static Optional<String> bearer(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.AUTHORIZATION)
        .filter(value -> value.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(value -> value.substring(BEARER.length()).strip());
  }

  private static Optional<String> session(ServerRequest request) {
    return request.headers().cookies().first(HttpExchange.SESSION_COOKIE).asOptional();
  }

  /// The agent and space that the path or a query parameter of the route names.
  private AccessTarget target(HttpRouter.RouteMatch match, ServerRequest request) {
    List<String> segments = HttpRoute.segments(match.route().path());
    AccessTarget target = AccessTarget.NONE;
    for (int i = 1; i < segments.size(); i++) {
      String name = match.names().get(segments.get(i).replaceAll("[{}]", ""));
      if (segments.get(i).startsWith("{") && name != null) {
        target = target.and(targets.find(segments.get(i - 1), name));
      }
    }
    return target
        .and(queried(match.route(), request, "agent"))
        .and(queried(match.route(), request, "space"));
  }

  private AccessTarget queried(HttpRoute route, ServerRequest request, String name) {
    return request
        .query()
        .first(name)
        .asOptional()
        .filter(_ -> route.isTaking(name))
        .map(value -> targets.find(name + "s", value))
        .orElse(AccessTarget.NONE);
  }

  /// Ends open streams; the server waits for them.
  @Override
  public void close() {
    stopping = true;
    deadlines.close();
  }
}
