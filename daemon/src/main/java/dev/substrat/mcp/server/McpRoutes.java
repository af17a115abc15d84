package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.http.server.HttpReply;
import dev.substrat.http.server.HttpRoute;
import dev.substrat.mcp.spi.McpCatalogSource;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.JsonRpc;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.identity.RouteAccess;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// HTTP routes of MCP (Streamable HTTP), both eras on one path. A request of the modern era has its
/// own metadata; all others are of the legacy era.
public final class McpRoutes {
  private static final int MAX_BATCH_SIZE = 100;

  /// Principal that a client claims to be; the bridge sends it with every message.
  private static final String PRINCIPAL = "Substrat-Principal";

  private final McpCatalogSource host;
  private final LegacyProtocol legacy;
  private final ModernProtocol modern;

  public McpRoutes(McpCatalogSource host, String version, InstantSource clock) {
    var profile = new ServerInfo(version);
    var calls = new InFlightRequests();
    this.host = host;
    this.legacy = new LegacyProtocol(host, profile, calls);
    this.modern = new ModernProtocol(host, profile, clock, calls);
  }

  public List<HttpRoute> routes() {
    return List.of(
        HttpRoute.write("/mcp", RouteAccess.TOOLS, "MCP: one JSON-RPC message.", null, this::post)
            .withHeader(
                "Idempotency-Key", "Repeating a call with the same key returns the first result.")
            .withHeader(
                PRINCIPAL,
                "`agent/NAME` or `zoo`: rejected if the token belongs to another principal.")
            .withHeader(ModernProtocol.VERSION, "Protocol version.")
            .withHeader(LegacyProtocol.SESSION, "Session id, up to protocol version 2025-11-25."),
        HttpRoute.read(
            "/mcp",
            RouteAccess.TOOLS,
            "MCP: event stream of server messages.",
            one(legacy::listen)),
        HttpRoute.remove("/mcp", RouteAccess.TOOLS, "MCP: end the session.", one(legacy::end)));
  }

  /// Methods of the legacy era only.
  private static HttpRoute.RouteHandler one(HttpRoute.RouteHandler handler) {
    return exchange -> {
      try {
        return handler.handle(exchange);
      } catch (ProtocolError refusal) {
        return new HttpReply.JsonReply(refusal.status(), JsonRpc.error(null, refusal.json()));
      }
    };
  }

  private HttpReply post(HttpExchange exchange) {
    exchange.header(PRINCIPAL).ifPresent(claimed -> host.require(exchange.caller(), claimed));
    JsonNode body;
    try {
      body = exchange.json();
    } catch (Fault fault) {
      ProtocolError refusal = ProtocolError.unreadable(fault);
      return new HttpReply.JsonReply(refusal.status(), JsonRpc.error(null, refusal.json()));
    }
    return body instanceof ArrayNode batch && LegacyProtocol.revision(exchange).hasBatches()
        ? batch(exchange, batch)
        : single(exchange, body, false);
  }

  private HttpReply single(HttpExchange exchange, JsonNode body, boolean inOnePiece) {
    try {
      return answer(exchange, ClientMessage.of(body), inOnePiece);
    } catch (ProtocolError refusal) {
      return new HttpReply.JsonReply(
          refusal.status(), JsonRpc.error(ClientMessage.idOf(body), refusal.json()));
    }
  }

  private HttpReply answer(HttpExchange exchange, ClientMessage message, boolean inOnePiece) {
    return switch (message) {
      case ClientMessage.ClientRequest request ->
          isModern(exchange, request)
              ? modern.answer(exchange, request)
              : legacy.answer(exchange, request, inOnePiece);
      case ClientMessage.ClientNotification notification -> {
        legacy.receive(exchange, notification);
        yield new HttpReply.EmptyReply(202);
      }
      case ClientMessage.ClientResponse answer -> {
        legacy.receive(exchange, answer);
        yield new HttpReply.EmptyReply(202);
      }
    };
  }

  private static boolean isModern(HttpExchange exchange, ClientMessage.ClientRequest request) {
    Optional<ProtocolRevision> known =
        exchange.header(ModernProtocol.VERSION).flatMap(ProtocolRevision::of);
    boolean saysLegacy = known.isPresent() && !known.get().isModern();
    return (exchange.header(ModernProtocol.VERSION).isPresent() && !saysLegacy)
        || request.meta().has(McpExchange.PROTOCOL + "protocolVersion")
        || request.method().equals("server/discover");
  }

  /// Processes messages one after the other and returns one response.
  private HttpReply batch(HttpExchange exchange, ArrayNode batch) {
    if (batch.isEmpty() || batch.size() > MAX_BATCH_SIZE) {
      ProtocolError refusal =
          ProtocolError.malformed(
              ProtocolError.INVALID_REQUEST,
              "a batch must have 1 to " + MAX_BATCH_SIZE + " messages");
      return new HttpReply.JsonReply(400, JsonRpc.error(null, refusal.json()));
    }
    var answers = Json.object().arrayNode();
    for (JsonNode body : batch) {
      if (single(exchange, body, true)
          instanceof HttpReply.JsonReply(int _, ObjectNode answer, Map<?, ?> _)) {
        answers.add(answer);
      }
    }
    return answers.isEmpty() ? new HttpReply.EmptyReply(202) : HttpReply.ok(answers);
  }
}
