package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.HttpExchange;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Requests while they are worked on, so that whoever made one can take it back.
///
/// Safe for many threads.
final class InFlightRequests {
  private final Map<Name, McpExchange> running = new ConcurrentHashMap<>();

  /// Clients number their requests themselves, so a number says something only with who counts:
  /// several that have the same token and no session all begin with 1.
  private record Name(String caller, String session, String request) {
    static Optional<Name> of(HttpExchange exchange, JsonNode request) {
      return exchange
          .header(LegacyProtocol.SESSION)
          .map(session -> new Name(exchange.admission().account(), session, request.toString()));
    }
  }

  /// What comes of the request. One that was taken back has no answer.
  <T> T during(
      HttpExchange exchange, ClientMessage.Request request, McpExchange inquiry, Supplier<T> work) {
    Optional<Name> name = Name.of(exchange, request.id());
    name.ifPresent(one -> running.put(one, inquiry));
    try {
      T result = work.get();
      if (inquiry.isLeft()) {
        throw new CancellationException("nobody waits for the answer any more");
      }
      return result;
    } finally {
      name.ifPresent(one -> running.remove(one, inquiry));
    }
  }

  /// The client does not want the answer to one of its requests any more.
  void cancelled(HttpExchange exchange, JsonNode request) {
    Name.of(exchange, request).map(running::get).ifPresent(McpExchange::leave);
  }
}
