package dev.substrat.mcp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.spi.ProtocolError;
import dev.substrat.platform.json.Json;

/// Message of a client: a request, a notification, or the response to a request of the server.
sealed interface ClientMessage {

  /// A request expects a response with its id.
  record ClientRequest(JsonNode id, String method, ObjectNode params) implements ClientMessage {

    /// Metadata of the request.
    JsonNode meta() {
      return params.path("_meta");
    }

    /// A required string parameter.
    String text(String key) {
      JsonNode value = params.path(key);
      if (!value.isTextual()) {
        throw ProtocolError.badParams("/params/" + key + " must be a string");
      }
      return value.textValue();
    }

    /// An optional object parameter.
    ObjectNode object(String key) {
      JsonNode value = params.path(key);
      if (value.isMissingNode() || value.isNull()) {
        return Json.object();
      }
      if (value instanceof ObjectNode object) {
        return object;
      }
      throw ProtocolError.badParams("/params/" + key + " must be an object");
    }
  }

  /// A notification expects no response.
  record ClientNotification(String method, ObjectNode params) implements ClientMessage {}

  /// Response to a request of the server: `body` has a `result` or an `error`.
  record ClientResponse(String id, ObjectNode body) implements ClientMessage {}

  static ClientMessage of(JsonNode node) {
    if (!(node instanceof ObjectNode object)) {
      throw ProtocolError.malformed(
          ProtocolError.INVALID_REQUEST, "the body must be one JSON-RPC message");
    }
    if (!"2.0".equals(object.path("jsonrpc").textValue())) {
      throw ProtocolError.malformed(ProtocolError.INVALID_REQUEST, "/jsonrpc must be \"2.0\"");
    }
    JsonNode id = object.get("id");
    if (!object.has("method") && (object.has("result") || object.has("error"))) {
      return new ClientResponse(id == null ? "" : id.asText(), object);
    }
    if (!object.path("method").isTextual()) {
      throw ProtocolError.malformed(ProtocolError.INVALID_REQUEST, "/method must be a string");
    }
    JsonNode params = object.path("params");
    if (!params.isMissingNode() && !params.isObject()) {
      throw ProtocolError.malformed(ProtocolError.INVALID_PARAMS, "/params must be an object");
    }
    ObjectNode named = params instanceof ObjectNode given ? given : Json.object();
    String method = object.path("method").textValue();
    return id == null
        ? new ClientNotification(method, named)
        : new ClientRequest(checked(id), method, named);
  }

  private static JsonNode checked(JsonNode id) {
    if (!canBeId(id)) {
      throw ProtocolError.malformed(
          ProtocolError.INVALID_REQUEST, "/id must be a string or an integer");
    }
    return id;
  }

  /// A fraction could change when it is parsed and written again.
  private static boolean canBeId(JsonNode id) {
    return id.isTextual() || id.isIntegralNumber();
  }

  /// The id of an invalid message, if it has one.
  static JsonNode idOf(JsonNode node) {
    JsonNode id = node.path("id");
    return canBeId(id) ? id : Json.object().nullNode();
  }
}
