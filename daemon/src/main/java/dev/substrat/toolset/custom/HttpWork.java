package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.Fault;
import dev.substrat.team.toolconfig.AddressTemplate;
import dev.substrat.team.toolconfig.AllowedEnvironment;
import dev.substrat.team.toolconfig.CustomToolConfig;
import dev.substrat.team.toolconfig.ExecutionType;
import dev.substrat.team.toolconfig.PlaceholderFiller;
import dev.substrat.team.toolconfig.ToolExecution;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ProgressSink;
import dev.substrat.tool.ToolCall;
import dev.substrat.tool.ToolResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Executes a tool that sends an HTTP request.
record HttpWork(GuardedHttpClient outgoing, AllowedEnvironment environment, CustomToolConfig config)
    implements ToolWork {
  /// Larger responses do not fit into a model's context.
  private static final long MOST_BYTES = 1_000_000;

  static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    return run(call, arguments, Map.of());
  }

  /// The same, with headers that are ours to say.
  ToolResult run(ToolCall call, ObjectNode arguments, Map<String, String> ours) {
    var secrets = new UsedSecrets();
    try {
      var filling = new PlaceholderFiller(environment, arguments, secrets);
      OutgoingRequest request = request(filling, call, arguments, ours);
      return call.interest().during(() -> answered(request, secrets, call.progress()));
    } catch (OutgoingFailure failure) {
      Fault fault = failure.fault();
      return ToolResult.Failed.because(
              new Fault(
                  fault.code(), secrets.redact(fault.message()), secrets.redact(fault.hint())))
          .with("reason", Json.tree(failure.reason().word()));
    }
  }

  private ToolResult answered(OutgoingRequest request, UsedSecrets secrets, ProgressSink progress) {
    try (OutgoingResponseStream reply = sent(request);
        var limited = new RateLimitedProgress(progress, System::nanoTime)) {
      return new HttpResult(secrets, limited).of(reply);
    }
  }

  static String method(CustomToolConfig config) {
    String method = config.executionOrNone().method();
    if (method != null) {
      return method;
    }
    return config.executionType() == ExecutionType.EXTERNAL ? "POST" : "GET";
  }

  private OutgoingRequest request(
      PlaceholderFiller filling, ToolCall call, ObjectNode arguments, Map<String, String> ours) {
    ToolExecution execution = config.executionOrNone();
    String method = method(config);
    JsonNode body = body(filling, method, arguments);
    var headers = new LinkedHashMap<String, String>();
    if (execution.headers() != null) {
      headers.putAll(filling.texts(execution.headers()));
    }
    if (body != null) {
      putIfMissing(
          headers,
          "Content-Type",
          body.isTextual() ? "text/plain; charset=utf-8" : "application/json");
    }
    if (call.idempotencyKey() != null && !isSafe(method)) {
      // If the daemon dies before it has the answer, the service can tell the second try.
      putIfMissing(
          headers, IDEMPOTENCY_KEY, call.caller().agent().id() + "/" + call.idempotencyKey());
    }
    headers.putAll(ours);
    return new OutgoingRequest(
        method,
        AddressTemplate.of(
            filling,
            Objects.requireNonNull(execution.address()),
            execution.queryParams() == null ? Map.of() : execution.queryParams()),
        headers,
        body == null ? "" : text(body),
        execution.patience(),
        MOST_BYTES);
  }

  private static void putIfMissing(Map<String, String> headers, String name, String value) {
    if (headers.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
      headers.put(name, value);
    }
  }

  /// Requests other than GET have a body.
  private @Nullable JsonNode body(PlaceholderFiller filling, String method, ObjectNode arguments) {
    JsonNode template = config.executionOrNone().body();
    if (template == null) {
      return isSafe(method) || method.equals("DELETE") ? null : arguments;
    }
    JsonNode filled = filling.value(template);
    return filled.isMissingNode() ? null : filled;
  }

  private static String text(JsonNode body) {
    return body.isTextual() ? body.asText() : Json.text(body);
  }

  static boolean isSafe(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  /// Retries once if that cannot execute anything twice: the request was not sent, or it is
  /// read-only. A refused connection is not enough: it may follow a redirect from a service that
  /// has executed the request.
  private OutgoingResponseStream sent(OutgoingRequest request) {
    long start = System.nanoTime();
    try {
      return outgoing.open(request);
    } catch (OutgoingFailure failure) {
      boolean isHarmless =
          switch (failure.reason()) {
            case REFUSED -> failure.isUnsent() || isSafe(request.method());
            case BROKEN -> isSafe(request.method());
            default -> false;
          };
      if (!isHarmless) {
        throw failure;
      }
      return outgoing.open(request.again(start));
    }
  }
}
