package dev.substrat.http.client;

import dev.substrat.http.address.Target;
import dev.substrat.protocol.Bytes;
import java.io.IOException;
import java.io.InputStream;

/// The head of a reply, and the connection its body comes on.
record Answer(
    Target target, Connection connection, ReplyHead head, Framing framing, InputStream body) {

  static Answer read(Hop hop, Connection connection, InputStream in) throws IOException {
    ReplyHead head = ReplyHead.read(in);
    Framing framing = Framing.of(head, hop.method());
    return new Answer(hop.target(), connection, head, framing, framing.body(in));
  }

  /// A body that would have to be expanded could be a thousand times larger inside.
  void requirePlain() throws BadReply {
    for (String encoding : head.all("content-encoding")) {
      if (!encoding.equalsIgnoreCase("identity") && !(framing instanceof Framing.Nothing)) {
        throw BadReply.broken("compressed its reply, which was not asked for");
      }
    }
  }

  /// If it says how long it is, nothing of a body that is too long has to be read.
  void requireAtMost(long maxBytes) throws BadReply {
    if (framing instanceof Framing.Fixed(long length)) {
      requireAtMost(maxBytes, length);
    }
  }

  void requireAtMost(long maxBytes, long bytes) throws BadReply {
    if (bytes > maxBytes) {
      throw BadReply.tooLarge("sent more than the " + Bytes.words(maxBytes) + " that are taken");
    }
  }

  boolean isReusable() {
    return framing.isReusable(head);
  }
}
