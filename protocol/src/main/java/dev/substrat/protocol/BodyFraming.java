package dev.substrat.protocol;

import java.io.InputStream;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// Framing of a response body as in RFC 9112. Ambiguous framing is rejected.
public sealed interface BodyFraming {
  Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

  /// No body.
  record NoBody() implements BodyFraming {}

  record FixedLengthFraming(long length) implements BodyFraming {}

  record ChunkedFraming() implements BodyFraming {}

  /// The body ends with the connection.
  record UntilCloseFraming() implements BodyFraming {}

  static BodyFraming of(ResponseHead head, String method) throws MalformedResponse {
    List<String> encodings = head.all("transfer-encoding");
    List<String> lengths = head.all("content-length");
    if (!encodings.isEmpty() && !lengths.isEmpty()) {
      throw MalformedResponse.broken(
          "sent conflicting Content-Length or Transfer-Encoding headers");
    }
    if (method.equals("HEAD") || head.status() == 204 || head.status() == 304) {
      return new NoBody();
    }
    if (!encodings.isEmpty()) {
      boolean isChunked = encodings.size() == 1 && encodings.getFirst().equalsIgnoreCase("chunked");
      if (!isChunked || head.version() == 0) {
        throw MalformedResponse.broken("used an unsupported transfer encoding");
      }
      return new ChunkedFraming();
    }
    return lengths.isEmpty() ? new UntilCloseFraming() : new FixedLengthFraming(length(lengths));
  }

  private static long length(List<String> lengths) throws MalformedResponse {
    if (lengths.size() > 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
      throw MalformedResponse.broken("sent an invalid Content-Length");
    }
    return Long.parseLong(lengths.getFirst());
  }

  /// The body, read from `in`.
  default InputStream body(InputStream in) {
    return switch (this) {
      case NoBody() -> InputStream.nullInputStream();
      case FixedLengthFraming(long length) -> new FixedLengthBody(in, length);
      case ChunkedFraming() -> new ChunkedBody(in);
      case UntilCloseFraming() -> in;
    };
  }

  /// Whether another request may follow on the connection once the body is read.
  default boolean isReusable(ResponseHead head) {
    boolean isClosing =
        head.all("connection").stream()
            .anyMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    return head.version() == 1 && !isClosing && !(this instanceof UntilCloseFraming);
  }
}
