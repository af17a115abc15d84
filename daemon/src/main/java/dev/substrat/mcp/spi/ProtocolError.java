package dev.substrat.mcp.spi;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.mcp.wire.ProtocolRevision;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.Truncation;
import org.jspecify.annotations.Nullable;

/// Request that violates the protocol, as opposed to a failed tool call.
public final class ProtocolError extends RuntimeException {
  /// Maximum length of a quoted text.
  private static final int MAX_LENGTH = 2_000;

  private static final int PARSE_ERROR = -32700;
  public static final int INVALID_REQUEST = -32600;
  static final int METHOD_NOT_FOUND = -32601;
  public static final int INVALID_PARAMS = -32602;
  static final int INTERNAL_ERROR = -32603;
  private static final int RESOURCE_NOT_FOUND = -32002;
  private static final int HEADER_MISMATCH = -32020;
  private static final int MISSING_CAPABILITY = -32021;
  private static final int UNSUPPORTED_VERSION = -32022;

  private final int code;
  private final int status;
  private final @Nullable ObjectNode data;

  private ProtocolError(int code, int status, String message, @Nullable ObjectNode data) {
    super(Truncation.of(message, MAX_LENGTH));
    this.code = code;
    this.status = status;
    this.data = data;
  }

  /// A well-formed request with wrong contents.
  public static ProtocolError badParams(String message) {
    return new ProtocolError(INVALID_PARAMS, 200, message, null);
  }

  /// A valid request that cannot be answered now.
  public static ProtocolError notNow(String message) {
    return new ProtocolError(INVALID_REQUEST, 200, message, null);
  }

  /// The legacy era had a separate code for this.
  public static ProtocolError noResource(String uri, McpClientInfo client) {
    int code = client.revision().isModern() ? INVALID_PARAMS : RESOURCE_NOT_FOUND;
    var data = Json.object().put("uri", Truncation.of(uri, MAX_LENGTH));
    return new ProtocolError(code, 200, "resource " + uri + " not found", data);
  }

  /// The client lacks a required capability.
  public static ProtocolError missing(ObjectNode capabilities) {
    var data = Json.object();
    data.set("requiredCapabilities", capabilities);
    String message = "the client did not declare required capabilities: " + Json.text(capabilities);
    return new ProtocolError(MISSING_CAPABILITY, 400, message, data);
  }

  public static ProtocolError malformed(int code, String message) {
    return new ProtocolError(code, 400, message, null);
  }

  /// A body that is not JSON, too large, too slow, or not storable.
  public static ProtocolError unreadable(Fault fault) {
    boolean isJson = fault.code() != ErrorCode.MALFORMED_REQUEST;
    int code = isJson ? INVALID_REQUEST : PARSE_ERROR;
    return new ProtocolError(code, fault.code().status(), fault.message(), null);
  }

  public static ProtocolError noMethod(String method) {
    return new ProtocolError(METHOD_NOT_FOUND, 404, "method " + method + " not found", null);
  }

  public static ProtocolError noSession() {
    return new ProtocolError(
        INVALID_REQUEST,
        404,
        "session not found or ended; start a new session with initialize",
        null);
  }

  public static ProtocolError headerMismatch(String message) {
    return new ProtocolError(HEADER_MISMATCH, 400, message, null);
  }

  public static ProtocolError unsupported(String version) {
    var data = Json.object().put("requested", Truncation.of(version, MAX_LENGTH));
    var supported = data.putArray("supported");
    ProtocolRevision.dates().forEach(supported::add);
    return new ProtocolError(
        UNSUPPORTED_VERSION, 400, "protocol version " + version + " is not supported", data);
  }

  /// Translates a fault of the daemon.
  public static ProtocolError because(Fault fault) {
    boolean isCallers = fault.code().kind() == ErrorCode.ErrorKind.CALLER;
    var data = Json.object().put("code", fault.code().name()).put("hint", fault.hint());
    return new ProtocolError(
        isCallers ? INVALID_PARAMS : INTERNAL_ERROR, 200, fault.message(), data);
  }

  /// HTTP status in the modern era.
  public int status() {
    return status;
  }

  public ObjectNode json() {
    var json = Json.object().put("code", code).put("message", getMessage());
    if (data != null) {
      json.set("data", data);
    }
    return json;
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
