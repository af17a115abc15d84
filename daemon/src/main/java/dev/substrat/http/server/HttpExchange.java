package dev.substrat.http.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.platform.identity.CallerPermissions;
import dev.substrat.platform.identity.Principal;
import dev.substrat.platform.identity.Scope;
import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One authenticated request and its parameters.
public final class HttpExchange {
  /// Cookie of the browser session.
  public static final String SESSION_COOKIE = "substrat_session";

  private static final int MAX_HEADER_NAMES = 200;
  private static final Map<String, HeaderName> HEADER_NAMES = new ConcurrentHashMap<>();

  private final ServerRequest request;
  private final Map<String, String> names;
  private final @Nullable CallerPermissions caller;
  private final boolean https;
  private final RequestBodyReader.RequestBody body;
  private final Supplier<SseStream> opener;
  private final BooleanSupplier stillAdmitted;
  private @Nullable SseStream opened;

  HttpExchange(
      ServerRequest request,
      Map<String, String> names,
      @Nullable CallerPermissions caller,
      boolean https,
      RequestBodyReader.RequestBody body,
      Supplier<SseStream> opener,
      BooleanSupplier stillAdmitted) {
    this.request = request;
    this.names = names;
    this.caller = caller;
    this.https = https;
    this.body = body;
    this.opener = opener;
    this.stillAdmitted = stillAdmitted;
  }

  /// Principal of the credential of the request.
  public Principal caller() {
    return admission().principal();
  }

  /// The caller and what its token allows.
  public CallerPermissions admission() {
    if (caller == null) {
      throw new IllegalStateException("a public route has no principal");
    }
    return caller;
  }

  /// Whether the client sent the request over HTTPS, to the daemon itself or to the public address.
  public boolean isHttps() {
    return https;
  }

  /// The credential of the request: a token, or else the session of a browser.
  public Optional<String> credential() {
    return RequestPipeline.bearer(request).or(() -> cookie(SESSION_COOKIE));
  }

  /// Whether the caller also has this scope, without a filter.
  public boolean may(Scope scope) {
    return admission().may(scope);
  }

  /// Whether the credential still allows the request. An open stream checks this periodically.
  public boolean isStillAdmitted() {
    return stillAdmitted.getAsBoolean();
  }

  /// The value of a `{name}` in the route's path.
  public String name(String name) {
    String value = names.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route has no {" + name + "}");
    }
    return value;
  }

  public Optional<String> query(String key) {
    Optional<String> value = request.query().first(key).asOptional();
    if (value.isPresent() && !StorableText.isStorable(value.get())) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          key + " contains invalid characters", "remove U+0000 and unpaired surrogates");
    }
    return value;
  }

  /// A whole number from the query, or `fallback`.
  public long number(String key, long fallback) {
    Optional<String> text = query(key);
    try {
      return text.isEmpty() ? fallback : Long.parseLong(text.get());
    } catch (NumberFormatException e) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          key + " must be a whole number, not \"" + text.get() + "\"",
          "omit the parameter for the default",
          e);
    }
  }

  /// Boolean query parameter; default false.
  public boolean flag(String key) {
    String text = query(key).orElse("false");
    if (!text.equals("true") && !text.equals("false")) {
      throw ErrorCode.INVALID_ARGUMENTS.fault(
          key + " must be true or false, not \"" + text + "\"", "omit the parameter for false");
    }
    return text.equals("true");
  }

  /// Page size: `limit` from the query, clamped to 1 and `most`.
  public int limit(int most) {
    return Math.clamp(number("limit", most), 1, most);
  }

  public Optional<String> header(String name) {
    return request.headers().first(headerName(name));
  }

  /// Most header names are known, and many are read in every request.
  private static HeaderName headerName(String name) {
    HeaderName known = HEADER_NAMES.get(name);
    if (known == null) {
      known = HeaderNames.create(name);
      if (HEADER_NAMES.size() < MAX_HEADER_NAMES) {
        HEADER_NAMES.put(name, known);
      }
    }
    return known;
  }

  public Optional<String> cookie(String name) {
    return request.headers().cookies().first(name).asOptional();
  }

  /// The body of a request to a public route whose signature was verified: it has the same size
  /// limit as a request with a token.
  public JsonNode verifiedJson() {
    body.raiseLimit();
    return json();
  }

  /// The body as JSON of any shape.
  public JsonNode json() {
    return body.json();
  }

  /// The body as the route's record, checked against its schema.
  public <T extends Record> T body(Class<T> type) {
    return body.json(type);
  }

  /// Whether the body is a form.
  public boolean isForm() {
    return header("Content-Type").filter(type -> type.startsWith(FormData.TYPE)).isPresent();
  }

  /// Form fields. Any site can make a browser send forms, so the request must have an Origin
  /// header; the request pipeline has checked its value.
  public FormData form() {
    if (header("Origin").isEmpty()) {
      throw ErrorCode.FOREIGN_ORIGIN.fault(
          "a form request needs the Origin header",
          "browsers send Origin automatically; programs should use /api");
    }
    return body.form();
  }

  /// Turns the response into an event stream while the handler is running. The caller has read the
  /// body, and returns [HttpReply.StreamedTextCollector].
  public SseStream stream() {
    if (opened == null) {
      opened = opener.get();
    }
    return opened;
  }

  boolean isStreaming() {
    return opened != null;
  }
}
