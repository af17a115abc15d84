package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.server.HttpExchange;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// Registry of running requests, so that a client can cancel them.
///
/// Safe for many threads.
final class InFlightRequests {
  private final Map<RequestKey, McpExchange> running = new ConcurrentHashMap<>();

  /// Clients number their requests themselves, so an id is unique only within its session: clients
  /// with the same token and no session all start with 1.
  private record RequestKey(String caller, String session, String request) {
    static Optional<RequestKey> of(HttpExchange exchange, JsonNode request) {
      return exchange
          .header(LegacyProtocol.SESSION)
          .map(session ->
              new RequestKey(exchange.admission().account(), session, request.toString()));
    }
  }

  /// Runs a request. A cancelled request has no response.
  <T> T during(
      HttpExchange exchange,
      ClientMessage.ClientRequest request,
      McpExchange inquiry,
      Supplier<T> work) {
    Optional<RequestKey> name = RequestKey.of(exchange, request.id());
    name.ifPresent(one -> running.put(one, inquiry));
    try {
      T result = work.get();
      if (inquiry.isLeft()) {
        throw new CancellationException("the client cancelled the request");
      }
      return result;
    } finally {
      name.ifPresent(one -> running.remove(one, inquiry));
    }
  }

  /// Cancels a request of the client.
  void cancelled(HttpExchange exchange, JsonNode request) {
    RequestKey.of(exchange, request).map(running::get).ifPresent(McpExchange::leave);
  }
}
