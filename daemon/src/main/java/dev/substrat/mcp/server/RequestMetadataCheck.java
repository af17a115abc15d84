package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.mcp.spi.McpClientInfo;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.mcp.wire.HeaderArguments;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.McpKeywords;
import dev.substrat.mcp.wire.ProtocolRevision;
import java.math.BigDecimal;
import java.util.Optional;

/// Metadata that every request of the modern era has in its body and again in its headers. Both
/// must agree, so that proxies see the same request as the server.
final class RequestMetadataCheck {
  private RequestMetadataCheck() {}

  /// Rejects a request whose metadata is missing or differs between body and headers.
  static McpClientInfo check(HttpExchange exchange, ClientMessage.Request request) {
    ProtocolRevision revision = revision(exchange, request);
    if (!(request.meta().path(McpExchange.PROTOCOL + "clientCapabilities")
        instanceof ObjectNode capabilities)) {
      throw lacking("clientCapabilities");
    }
    same(exchange, McpKeywords.METHOD, request.method());
    Optional<String> key = nameKey(request.method());
    if (key.isPresent() && request.params().path(key.get()).isTextual()) {
      same(exchange, McpKeywords.NAME, request.params().path(key.get()).textValue());
    }
    return new McpClientInfo(revision, capabilities);
  }

  private static ProtocolRevision revision(HttpExchange exchange, ClientMessage.Request request) {
    JsonNode said = request.meta().path(McpExchange.PROTOCOL + "protocolVersion");
    Optional<String> header = exchange.header(ModernProtocol.VERSION);
    if (!said.isTextual()) {
      if (header.isPresent() && ProtocolRevision.of(header.get()).isEmpty()) {
        throw ProtocolError.unsupported(header.get());
      }
      throw lacking("protocolVersion");
    }
    same(exchange, ModernProtocol.VERSION, said.textValue());
    return ProtocolRevision.of(said.textValue())
        .filter(ProtocolRevision::isModern)
        .orElseThrow(() -> ProtocolError.unsupported(said.textValue()));
  }

  private static ProtocolError lacking(String key) {
    return ProtocolError.malformed(
        ProtocolError.INVALID_PARAMS, "/params/_meta needs " + McpExchange.PROTOCOL + key);
  }

  private static void same(HttpExchange exchange, String header, String body) {
    String value =
        exchange
            .header(header)
            .orElseThrow(
                () -> ProtocolError.headerMismatch("the header " + header + " is missing"));
    if (!decode(value).equals(body)) {
      throw ProtocolError.headerMismatch(
          "header " + header + " is \"" + value + "\", but the body has \"" + body + "\"");
    }
  }

  private static String decode(String value) {
    return HeaderText.decode(value)
        .orElseThrow(() -> ProtocolError.headerMismatch("not valid base64: " + value));
  }

  /// Rejects a call whose headers differ from its arguments.
  static void checkMirrored(HttpExchange exchange, HeaderArguments mirrored, JsonNode arguments) {
    mirrored
        .byHeader()
        .forEach((header, pointer) -> {
          JsonNode value = arguments.at(pointer);
          boolean isThere = value.isValueNode() && !value.isNull() && !value.isMissingNode();
          Optional<String> said = exchange.header(header).map(RequestMetadataCheck::decode);
          if (isThere ? said.isEmpty() || !isSame(value, said.get()) : said.isPresent()) {
            throw ProtocolError.headerMismatch(
                "header " + header + " differs from /params/arguments" + pointer);
          }
        });
  }

  private static boolean isSame(JsonNode value, String said) {
    if (!value.isNumber()) {
      return value.asText().equals(said);
    }
    try {
      return value.decimalValue().compareTo(new BigDecimal(said)) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /// Key of the parameters that names the object of the request.
  private static Optional<String> nameKey(String method) {
    return switch (method) {
      case "tools/call", "prompts/get" -> Optional.of("name");
      case "resources/read" -> Optional.of("uri");
      case "tasks/get", "tasks/update", "tasks/cancel" -> Optional.of("taskId");
      default -> Optional.empty();
    };
  }
}
