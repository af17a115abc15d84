package dev.substrat.mcp.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.mcp.client.transport.StdioFailureHints;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import org.jspecify.annotations.Nullable;

/// Failure of a remote server, with a reason code. Its message is for people and agents, and
/// contains nothing that was sent.
public final class RemoteFailure extends RuntimeException {
  /// Maximum length of a quoted server message.
  private static final int MAX_TEXT_LENGTH = 500;

  private final FailureReason reason;
  private final ServerError refusal;

  private RemoteFailure(
      FailureReason reason, String message, ServerError refusal, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.refusal = refusal;
  }

  /// The ways in which a server fails.
  public enum FailureReason {
    /// The address is not allowed.
    BLOCKED,
    /// The server cannot be reached.
    UNREACHABLE,
    /// The program is not installed on this machine.
    NO_PROGRAM,
    /// A configured path does not exist or is not allowed.
    NO_PATH,
    TIMED_OUT,
    /// Protocol violation.
    PROTOCOL,
    /// The server rejected the request.
    REFUSED,
    TOO_LARGE,
    /// The connection was closed by either side.
    CLOSED,
    /// The session is unknown to the server; a new one would help.
    SESSION_LOST,
    /// The caller no longer waits for the result.
    CANCELLED
  }

  /// Error of a server: the HTTP status (0 if none), and the JSON-RPC code and data (0 and missing
  /// if none).
  record ServerError(int status, int code, JsonNode data) {
    static final ServerError NONE = new ServerError(0, 0, Json.object().path("data"));
  }

  public static RemoteFailure because(FailureReason reason, String message) {
    return new RemoteFailure(reason, message, ServerError.NONE, null);
  }

  public static RemoteFailure because(FailureReason reason, String message, Throwable cause) {
    return new RemoteFailure(reason, message, ServerError.NONE, cause);
  }

  /// The connection to the server failed.
  public static RemoteFailure on(OutgoingFailure failure) {
    FailureReason reason =
        switch (failure.reason()) {
          case BLOCKED -> FailureReason.BLOCKED;
          case BAD_URL, BAD_REQUEST, DNS_FAILED, REFUSED, TLS_FAILED -> FailureReason.UNREACHABLE;
          case TIMED_OUT -> FailureReason.TIMED_OUT;
          case TOO_LARGE -> FailureReason.TOO_LARGE;
          case BROKEN -> FailureReason.CLOSED;
          case CANCELLED -> FailureReason.CANCELLED;
        };
    return because(reason, failure.message(), failure);
  }

  public static RemoteFailure protocol(String message) {
    return because(FailureReason.PROTOCOL, message);
  }

  /// An HTTP status without a readable body.
  public static RemoteFailure status(int status) {
    return new RemoteFailure(
        FailureReason.REFUSED,
        "the server answered with HTTP status " + status,
        new ServerError(status, 0, ServerError.NONE.data()),
        null);
  }

  /// A JSON-RPC error.
  static RemoteFailure refused(JsonNode error) {
    int code = error.path("code").asInt();
    return new RemoteFailure(
        FailureReason.REFUSED,
        "the server returned error " + code + ": " + shortened(error.path("message").asText()),
        new ServerError(0, code, error.path("data")),
        null);
  }

  static String shortened(String words) {
    return words.length() <= MAX_TEXT_LENGTH ? words : words.substring(0, MAX_TEXT_LENGTH) + "…";
  }

  public FailureReason reason() {
    return reason;
  }

  ServerError refusal() {
    return refusal;
  }

  /// The message, and a hint if a person has to act.
  public String problem() {
    boolean isForPeople =
        switch (reason) {
          case BLOCKED, NO_PROGRAM, NO_PATH -> true;
          case UNREACHABLE, CLOSED, TIMED_OUT -> StdioFailureHints.of(getMessage()).isPresent();
          case PROTOCOL, REFUSED, TOO_LARGE, SESSION_LOST, CANCELLED -> false;
        };
    return isForPeople ? getMessage() + " (" + hint() + ")" : getMessage();
  }

  /// The same as a fault.
  public Fault fault(String server) {
    return new Fault(code(), "MCP server " + server + ": " + getMessage(), hint(), this);
  }

  private ErrorCode code() {
    return switch (reason) {
      case BLOCKED -> ErrorCode.ADDRESS_BLOCKED;
      case TIMED_OUT -> ErrorCode.TIMEOUT;
      case UNREACHABLE,
          NO_PROGRAM,
          NO_PATH,
          PROTOCOL,
          REFUSED,
          TOO_LARGE,
          CLOSED,
          SESSION_LOST,
          CANCELLED ->
          ErrorCode.UPSTREAM_ERROR;
    };
  }

  private String hint() {
    return switch (reason) {
      case BLOCKED ->
          getCause() instanceof OutgoingFailure failure
              ? failure.hint()
              : "the operator can allow the host with ./substrat up --allow-host HOST:PORT";
      case NO_PROGRAM ->
          "install the program, or set the server's `command` to the full path of the program";
      case NO_PATH -> "create the path, or change \"paths\" in the server's configuration";
      case UNREACHABLE, CLOSED, SESSION_LOST ->
          StdioFailureHints.of(getMessage()).orElse("retry later, or continue without this tool");
      case TIMED_OUT ->
          StdioFailureHints.of(getMessage())
              .orElse("the call may have taken effect; check before you retry");
      case PROTOCOL ->
          "the server violates the protocol; tell the operator and continue without this tool";
      case REFUSED -> "correct the call, or continue without this tool";
      case TOO_LARGE -> "request less data per call";
      case CANCELLED -> "no action needed";
    };
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
