package dev.substrat.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.tool.pending.PendingCall;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Result of a tool call, returned immediately: nothing in here waits.
///
/// The result is the tool's object; a hint for the model accompanies it, and where it matters is
/// also in the object.
public sealed interface ToolResult {

  /// JSON for the agent.
  ObjectNode json();

  @Nullable String hint();

  /// A recorded result, from its JSON and its hint.
  static ToolResult recorded(ObjectNode json, @Nullable String hint) {
    Optional<ErrorCode> code = Failed.code(json);
    return code.isPresent()
        ? new Failed(
            code.get(),
            json.path("message").asText(),
            json.path("hint").asText(),
            json.has("retryAfterMs")
                ? OptionalLong.of(json.path("retryAfterMs").asLong())
                : OptionalLong.empty(),
            json.deepCopy().without(Failed.COMMON))
        : new Done(json, hint);
  }

  /// The work is done and this is its result.
  record Done(ObjectNode json, @Nullable String hint) implements ToolResult {
    public Done(ObjectNode json) {
      this(json, null);
    }

    /// The record as JSON.
    public static Done with(Record result) {
      return new Done((ObjectNode) Json.tree(result));
    }

    /// The same with the hint in the result itself, because some clients show nothing else; for
    /// hints that the agent needs to continue.
    public Done saying(String text) {
      return new Done(json.deepCopy().put("hint", text), text);
    }
  }

  /// The work continues, and its result comes later: as an inbox event, or on request. `hint` says
  /// who is asked and where the result arrives.
  record Pending(PendingCall call, String hint) implements ToolResult {
    private static final String LATER =
        "the result will arrive as an event in your inbox; do not wait for it";

    public Pending(PendingCall call) {
      this(call, LATER);
    }

    @Override
    public ObjectNode json() {
      return Json.object()
          .put("status", "pending")
          .put("pendingToolCallId", call.id())
          .put("hint", hint);
    }
  }

  /// The call was rejected or failed; `hint` suggests what to do instead. `more` has further
  /// details, such as the status of a service's response.
  record Failed(
      ErrorCode code, String message, String hint, OptionalLong retryAfterMillis, ObjectNode more)
      implements ToolResult {
    private static final List<String> COMMON =
        List.of("error", "code", "message", "hint", "retryAfterMs");

    public Failed(ErrorCode code, String message, String hint, OptionalLong retryAfterMillis) {
      this(code, message, hint, retryAfterMillis, Json.object());
    }

    /// The error code, if it is an error of the daemon: a service's own result may have the same
    /// form.
    private static Optional<ErrorCode> code(ObjectNode json) {
      return json.path("error").isBoolean() && json.path("error").asBoolean()
          ? Arrays.stream(ErrorCode.values())
              .filter(code -> code.name().equals(json.path("code").asText()))
              .findFirst()
          : Optional.empty();
    }

    public static Failed because(Fault fault) {
      return new Failed(fault.code(), fault.message(), fault.hint(), OptionalLong.empty());
    }

    public Failed with(String key, JsonNode value) {
      ObjectNode all = more.deepCopy();
      all.set(key, value);
      return new Failed(code, message, hint, retryAfterMillis, all);
    }

    public Failed without(String key) {
      return new Failed(code, message, hint, retryAfterMillis, more.deepCopy().without(key));
    }

    @Override
    public ObjectNode json() {
      var json =
          Json.object()
              .put("error", true)
              .put("code", code.name())
              .put("message", message)
              .put("hint", hint);
      retryAfterMillis.ifPresent(millis -> json.put("retryAfterMs", millis));
      json.setAll(more);
      return json;
    }
  }
}
