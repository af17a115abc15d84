package dev.substrat.http.client;

import dev.substrat.http.address.TargetUrl;
import dev.substrat.protocol.BodyFraming;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.MalformedResponse;
import dev.substrat.protocol.ResponseHead;
import java.io.IOException;
import java.io.InputStream;

/// Head of a response, and the connection that its body is read from.
record OpenResponse(
    TargetUrl target,
    OutgoingConnection connection,
    ResponseHead head,
    BodyFraming framing,
    InputStream body) {

  static OpenResponse read(RequestHop hop, OutgoingConnection connection, InputStream in)
      throws IOException {
    ResponseHead head = ResponseHead.read(in);
    BodyFraming framing = BodyFraming.of(head, hop.method());
    return new OpenResponse(hop.target(), connection, head, framing, framing.body(in));
  }

  /// A compressed body could expand to a thousand times its size.
  void requirePlain() throws MalformedResponse {
    for (String encoding : head.all("content-encoding")) {
      if (!encoding.equalsIgnoreCase("identity") && !(framing instanceof BodyFraming.NoBody)) {
        throw MalformedResponse.broken("compressed its response without being asked");
      }
    }
  }

  /// With a Content-Length, a body that is too long need not be read.
  void requireAtMost(long maxBytes) throws MalformedResponse {
    if (framing instanceof BodyFraming.FixedLengthFraming(long length)) {
      requireAtMost(maxBytes, length);
    }
  }

  void requireAtMost(long maxBytes, long bytes) throws MalformedResponse {
    if (bytes > maxBytes) {
      throw MalformedResponse.tooLarge(
          "sent more than the limit of " + ByteSizeFormatter.words(maxBytes));
    }
  }

  boolean isReusable() {
    return framing.isReusable(head);
  }
}
