package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SseParser;
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
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Executes a tool that sends an HTTP request.
record HttpToolExecutor(
    GuardedHttpClient outgoing, AllowedEnvironment environment, CustomToolConfig config)
    implements ToolExecutor {
  /// Larger responses do not fit into a model's context.
  private static final long MAX_BYTES = 1_000_000;

  static final String IDEMPOTENCY_KEY = "Idempotency-Key";

  @Override
  public ToolResult run(ToolCall call, ObjectNode arguments) {
    return run(call, arguments, Map.of());
  }

  /// The same with additional headers of the daemon.
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
      // If the daemon dies before the response, the service can recognise the second attempt.
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
        MAX_BYTES);
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

  /// Response of a service as an agent sees it: the JSON object it sent, `{"value": …}` for other
  /// JSON, `{"text": …}` for anything else.
  ///
  /// A service may answer in several parts: lines of JSON, or server-sent events. Each part is
  /// reported as progress when it is complete, without waiting for the next one; the last part is
  /// also the result. Which part is the last is known only at the end of the response, so it is
  /// reported like the others. `progress` limits how many parts are reported per second.
  private record HttpResult(UsedSecrets secrets, RateLimitedProgress progress) {
    private static final int LONGEST_EXCERPT = 500;

    ToolResult of(OutgoingResponseStream reply) {
      String type = reply.header("content-type").orElse("").toLowerCase(Locale.ROOT);
      if (reply.status() / 100 != 2) {
        return failed(reply.status(), secrets.redact(text(reply)));
      }
      if (type.contains("event-stream")) {
        return new ToolResult.Done(lastEvent(reply));
      }
      boolean isLines = type.contains("ndjson") || type.contains("jsonl");
      return new ToolResult.Done(isLines ? lastLine(reply) : result(type, text(reply)));
    }

    private static String text(OutgoingResponseStream reply) {
      try {
        return new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private ObjectNode lastLine(OutgoingResponseStream reply) {
      ObjectNode last = result("", "");
      try (var lines =
          new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (!line.isBlank()) {
            last = received(line);
          }
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return last;
    }

    /// Some services leave out the blank line after the last event.
    private ObjectNode lastEvent(OutgoingResponseStream reply) {
      ObjectNode last = result("", "");
      var blank = new ByteArrayInputStream("\n\n".getBytes(StandardCharsets.UTF_8));
      try (var body = new SequenceInputStream(reply.body(), blank)) {
        var events = new SseParser(body, Integer.MAX_VALUE);
        for (var event = events.nextEvent(); event != null; event = events.nextEvent()) {
          last = event.data().isBlank() ? last : received(event.data());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return last;
    }

    private ObjectNode received(String part) {
      ObjectNode status = result("", part.strip());
      progress.report(status);
      return status;
    }

    private ObjectNode result(String type, String text) {
      boolean mayBeJson = !text.isBlank() && (type.contains("json") || type.isEmpty());
      if (mayBeJson) {
        try {
          JsonNode value = secrets.redact(Json.parse(text.getBytes(StandardCharsets.UTF_8)));
          return value instanceof ObjectNode object ? object : Json.object().set("value", value);
        } catch (Fault e) {
          // Treated as text, whatever the content type says.
          return inWords(text);
        }
      }
      return inWords(text);
    }

    private ObjectNode inWords(String text) {
      return Json.object().put("text", StorableText.sanitize(secrets.redact(text)));
    }

    private static ToolResult failed(int status, String text) {
      String excerpt =
          text.length() <= LONGEST_EXCERPT ? text : text.substring(0, LONGEST_EXCERPT) + "…";
      String hint =
          status >= 500
              ? "try again later, or continue without this tool"
              : "read `excerpt` and change the arguments";
      return ToolResult.Failed.because(
              ErrorCode.UPSTREAM_ERROR.fault("the service responded with status " + status, hint))
          .with("status", Json.tree(status))
          .with("excerpt", Json.tree(StorableText.sanitize(excerpt)));
    }
  }
}
