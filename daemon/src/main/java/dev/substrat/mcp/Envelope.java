package dev.substrat.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// What every request of the modern era must say about itself, in its body and again in its
/// headers, so that whatever stands between us and the client has read the same as we did.
final class Envelope {
  private static final String ENCODED = "=?base64?";

  private Envelope() {}

  /// Refuses a request that does not say it, or not twice the same.
  static Client check(Exchange exchange, Message.Request request) {
    Revision revision = revision(exchange, request);
    if (!(request.meta().path(Inquiry.PROTOCOL + "clientCapabilities")
        instanceof ObjectNode capabilities)) {
      throw lacking("clientCapabilities");
    }
    same(exchange, "Mcp-Method", request.method());
    Optional<String> key = nameKey(request.method());
    if (key.isPresent() && request.params().path(key.get()).isTextual()) {
      same(exchange, "Mcp-Name", request.params().path(key.get()).textValue());
    }
    return new Client(revision, capabilities);
  }

  private static Revision revision(Exchange exchange, Message.Request request) {
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

  private static void same(Exchange exchange, String header, String body) {
    String value =
        exchange
            .header(header)
            .orElseThrow(() -> Refusal.headerMismatch("the header " + header + " is missing"));
    if (!decode(value).equals(body)) {
      throw Refusal.headerMismatch(
          header + " says \"" + value + "\", but the body says \"" + body + "\"");
    }
  }

  static String decode(String value) {
    if (!value.startsWith(ENCODED) || !value.endsWith("?=")) {
      return value;
    }
    String inside = value.substring(ENCODED.length(), value.length() - 2);
    try {
      if (inside.length() % 4 != 0) {
        throw new IllegalArgumentException("not padded");
      }
      return new String(Base64.getDecoder().decode(inside), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Refusal.headerMismatch("this is no base64: " + value);
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
