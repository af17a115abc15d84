package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.server.HttpExchange;
import dev.substrat.mcp.spi.Client;
import dev.substrat.mcp.spi.Refusal;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.MirroredArguments;
import dev.substrat.mcp.wire.Revision;
import dev.substrat.mcp.wire.Words;
import java.math.BigDecimal;
import java.util.Optional;

/// What every request of the modern era must say about itself, in its body and again in its
/// headers, so that whatever stands between us and the client has read the same as we did.
final class Envelope {
  private Envelope() {}

  /// Refuses a request that does not say it, or not twice the same.
  static Client check(HttpExchange exchange, Message.Request request) {
    Revision revision = revision(exchange, request);
    if (!(request.meta().path(Inquiry.PROTOCOL + "clientCapabilities")
        instanceof ObjectNode capabilities)) {
      throw lacking("clientCapabilities");
    }
    same(exchange, Words.METHOD, request.method());
    Optional<String> key = nameKey(request.method());
    if (key.isPresent() && request.params().path(key.get()).isTextual()) {
      same(exchange, Words.NAME, request.params().path(key.get()).textValue());
    }
    return new Client(revision, capabilities);
  }

  private static Revision revision(HttpExchange exchange, Message.Request request) {
    JsonNode said = request.meta().path(Inquiry.PROTOCOL + "protocolVersion");
    Optional<String> header = exchange.header(Modern.VERSION);
    if (!said.isTextual()) {
      if (header.isPresent() && Revision.of(header.get()).isEmpty()) {
        throw Refusal.unsupported(header.get());
      }
      throw lacking("protocolVersion");
    }
    same(exchange, Modern.VERSION, said.textValue());
    return Revision.of(said.textValue())
        .filter(Revision::isModern)
        .orElseThrow(() -> Refusal.unsupported(said.textValue()));
  }

  private static Refusal lacking(String key) {
    return Refusal.malformed(
        Refusal.INVALID_PARAMS, "/params/_meta must have " + Inquiry.PROTOCOL + key);
  }

  private static void same(HttpExchange exchange, String header, String body) {
    String value =
        exchange
            .header(header)
            .orElseThrow(() -> Refusal.headerMismatch("the header " + header + " is missing"));
    if (!decode(value).equals(body)) {
      throw Refusal.headerMismatch(
          header + " says \"" + value + "\", but the body says \"" + body + "\"");
    }
  }

  private static String decode(String value) {
    return HeaderText.decode(value)
        .orElseThrow(() -> Refusal.headerMismatch("this is no base64: " + value));
  }

  /// Refuses a call whose headers say something else than its arguments.
  static void checkMirrored(HttpExchange exchange, MirroredArguments mirrored, JsonNode arguments) {
    mirrored
        .byHeader()
        .forEach((header, pointer) -> {
          JsonNode value = arguments.at(pointer);
          boolean isThere = value.isValueNode() && !value.isNull() && !value.isMissingNode();
          Optional<String> said = exchange.header(header).map(Envelope::decode);
          if (isThere ? said.isEmpty() || !isSame(value, said.get()) : said.isPresent()) {
            throw Refusal.headerMismatch(
                header + " does not say what /params/arguments" + pointer + " says");
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

  /// What in the parameters names the thing that the request is about.
  private static Optional<String> nameKey(String method) {
    return switch (method) {
      case "tools/call", "prompts/get" -> Optional.of("name");
      case "resources/read" -> Optional.of("uri");
      case "tasks/get", "tasks/update", "tasks/cancel" -> Optional.of("taskId");
      default -> Optional.empty();
    };
  }
}
