package dev.substrat.http.client;

import dev.substrat.http.client.OutgoingFailure.FailureReason;
import dev.substrat.protocol.HeaderLineReader;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/// Request to a foreign server.
///
/// `body` is empty if there is none. `deadline` is the time from the DNS lookup to the last byte of
/// the response. `maxBytes` limits the response body; a longer one is a failure, never truncated.
public record OutgoingRequest(
    String method,
    String url,
    Map<String, String> headers,
    String body,
    Duration deadline,
    long maxBytes) {

  private static final Duration MAX_DURATION = Duration.ofDays(1);
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,20}");
  private static final int MAX_NAME_LENGTH = 200;

  /// Methods that are not requests for a response.
  private static final Set<String> FOREIGN_METHODS = Set.of("CONNECT", "TRACE");

  /// Headers that the client sets itself: host, framing and accepted encodings.
  private static final Set<String> OURS =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "keep-alive",
          "te",
          "trailer",
          "upgrade",
          "expect",
          "accept-encoding",
          "proxy-authorization",
          "proxy-connection");

  public OutgoingRequest {
    headers = Map.copyOf(headers);
    if (!METHOD.matcher(method).matches() || FOREIGN_METHODS.contains(method)) {
      throw bad("unsupported HTTP method", "use GET, POST, PUT, PATCH or DELETE");
    }
    headers.forEach(OutgoingRequest::checkHeader);
    if (!deadline.isPositive() || deadline.compareTo(MAX_DURATION) > 0) {
      throw bad("the timeout of a request must be from 1 ms to 1 day", "change the timeout");
    }
  }

  /// A value with a line break could inject another header or request.
  private static void checkHeader(String name, String value) {
    if (name.length() > MAX_NAME_LENGTH || !HeaderLineReader.isToken(name)) {
      throw bad("a header name has invalid characters", "use letters, digits and '-'");
    }
    if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
      throw bad("the header " + name + " is set by the daemon", "omit the header");
    }
    if (!HeaderLineReader.isText(value)) {
      throw bad(
          "the value of the header " + name + " has invalid characters",
          "use one line of printable characters");
    }
  }

  private static OutgoingFailure bad(String message, String hint) {
    return new OutgoingFailure(FailureReason.BAD_REQUEST, message, hint);
  }

  /// The same request with the rest of its time since `start` (of [System#nanoTime]).
  public OutgoingRequest again(long start) {
    Duration left = deadline.minusNanos(System.nanoTime() - start);
    return new OutgoingRequest(
        method, url, headers, body, left.isPositive() ? left : Duration.ofNanos(1), maxBytes);
  }

  /// Without parts that may contain a secret.
  @Override
  public String toString() {
    return "OutgoingRequest[" + method + "]";
  }
}
