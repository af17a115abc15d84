package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.ResponseHead;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// One request of a redirect chain: the first, or the one that a redirect leads to.
///
/// Data for one origin is not sent to another one: a redirect to another origin becomes a request
/// without a body and with harmless headers only, and https never redirects to http.
final class RequestHop {
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
  private static final Set<String> HARMLESS = Set.of("accept", "accept-language", "user-agent");
  private static final Set<String> ABOUT_BODY =
      Set.of("content-type", "content-encoding", "content-language", "content-location");
  private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");

  /// Methods that may be sent twice without doing anything twice.
  private static final Set<String> REPEATABLE = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");

  private final TargetUrl target;
  private final String method;
  private final Map<String, String> headers;
  private final String body;
  private final boolean isUnsent;

  private RequestHop(
      TargetUrl target, String method, Map<String, String> headers, String body, boolean isUnsent) {
    this.target = target;
    this.method = method;
    this.headers = headers;
    this.body = body;
    this.isUnsent = isUnsent;
  }

  static RequestHop of(OutgoingRequest request) {
    return new RequestHop(
        TargetUrl.parse(request.url()), request.method(), request.headers(), request.body(), true);
  }

  TargetUrl target() {
    return target;
  }

  String method() {
    return method;
  }

  /// True while nothing of this request, or of the one it was redirected from, was sent.
  boolean isUnsent() {
    return isUnsent;
  }

  /// The same request again.
  RequestHop again() {
    return new RequestHop(target, method, headers, body, false);
  }

  boolean isRepeatable() {
    return REPEATABLE.contains(method);
  }

  /// The next request, if the response is a redirect.
  Optional<RequestHop> next(ResponseHead head) {
    return REDIRECTS.contains(head.status())
        ? head.first("location").map(location -> redirected(head.status(), unicode(location)))
        : Optional.empty();
  }

  /// Headers are read as bytes; a URL that is not ASCII is usually UTF-8.
  private static String unicode(String location) {
    return new String(location.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private RequestHop redirected(int status, String location) {
    TargetUrl next = resolve(location);
    if (target.isSecure() && !next.isSecure()) {
      throw refused("redirects from https to http");
    }
    boolean becomesGet =
        (status == 303 && !method.equals("HEAD")) || (status <= 302 && method.equals("POST"));
    RequestHop hop =
        becomesGet
            ? new RequestHop(next, "GET", without(ABOUT_BODY), "", false)
            : new RequestHop(next, method, headers, body, false);
    return target.isSameOrigin(next) ? hop : hop.abroad(target);
  }

  private TargetUrl resolve(String location) {
    try {
      return target.resolve(location);
    } catch (OutgoingFailure e) {
      // A bad redirect URL is not the caller's mistake.
      FailureReason reason =
          e.reason() == FailureReason.BLOCKED ? FailureReason.BLOCKED : FailureReason.BROKEN;
      throw new OutgoingFailure(
          reason,
          target + " redirects to an address that is not allowed: " + e.message(),
          "report this to the operator of that server",
          e);
    }
  }

  private RequestHop abroad(TargetUrl from) {
    boolean isQuestion = method.equals("GET") || method.equals("HEAD");
    if (!isQuestion || !body.isEmpty()) {
      throw new OutgoingFailure(
          FailureReason.BLOCKED,
          from + " redirects the request to another host",
          "if you trust the other host, configure the URL of that host");
    }
    var kept = new TreeMap<>(headers);
    kept.keySet().removeIf(name -> !HARMLESS.contains(name.toLowerCase(Locale.ROOT)));
    return new RequestHop(target, method, kept, body, false);
  }

  private Map<String, String> without(Set<String> names) {
    var kept = new TreeMap<>(headers);
    kept.keySet().removeIf(name -> names.contains(name.toLowerCase(Locale.ROOT)));
    return kept;
  }

  private OutgoingFailure refused(String what) {
    return new OutgoingFailure(
        FailureReason.BLOCKED, target + " " + what, "report this to the operator of that server");
  }

  /// The request in wire format. Compressed responses are not requested: a small one may be large
  /// when expanded.
  byte[] bytes(String userAgent) {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    all.put("User-Agent", userAgent);
    all.put("Accept", "*/*");
    all.putAll(headers);
    all.put("Accept-Encoding", "identity");
    if (!body.isEmpty() || WITH_BODY.contains(method)) {
      all.put("Content-Length", String.valueOf(content.length));
    }
    var text = new StringBuilder();
    text.append(method).append(' ').append(target.path()).append(" HTTP/1.1\r\n");
    text.append("Host: ").append(target.authority()).append("\r\n");
    all.forEach((name, value) -> text.append(name).append(": ").append(value).append("\r\n"));
    var bytes = new ByteArrayOutputStream(text.length() + content.length + 2);
    bytes.writeBytes(text.append("\r\n").toString().getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(content);
    return bytes.toByteArray();
  }
}
