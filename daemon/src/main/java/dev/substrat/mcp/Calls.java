package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.Exchange;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;

/// Calls of tools while they are worked on, so that whoever made one can take it back.
///
/// Safe for many threads.
final class Calls {
  private final Map<Name, Inquiry> running = new ConcurrentHashMap<>();

  /// Clients number their requests themselves, so a number says something only with who counts.
  private record Name(String principal, String session, String request) {
    static Name of(Exchange exchange, JsonNode request) {
      return new Name(
          exchange.caller().key(), exchange.header(Legacy.SESSION).orElse(""), request.toString());
    }
  }

  /// What the request comes to. One that was taken back has no answer.
  Outcome call(Exchange exchange, Offer offer, Message.Request request, Inquiry inquiry) {
    if (!request.method().equals("tools/call")) {
      return Methods.call(offer, request, inquiry);
    }
    Name name = Name.of(exchange, request.id());
    running.put(name, inquiry);
    try {
      Outcome outcome = Methods.call(offer, request, inquiry);
      if (inquiry.isLeft()) {
        throw new CancellationException("nobody waits for the answer any more");
      }
      return outcome;
    } finally {
      running.remove(name, inquiry);
    }
  }

  /// The client does not want the answer to one of its requests any more.
  void cancelled(Exchange exchange, JsonNode request) {
    Inquiry inquiry = running.get(Name.of(exchange, request));
    if (inquiry != null) {
      inquiry.leave();
    }
  }
}
