package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SseParser;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolResult;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.SequenceInputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// Response of a service as an agent sees it: the JSON object it sent, `{"value": …}` for other
/// JSON, `{"text": …}` for anything else.
///
/// A service may answer in several parts: lines of JSON, or server-sent events. Each part is
/// reported as progress when it is complete, without waiting for the next one; the last part is
/// also the result. Which part is the last is known only at the end of the response, so it is
/// reported like the others. `progress` limits how many parts are reported per second.
record HttpResult(UsedSecrets secrets, RateLimitedProgress progress) {
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
            ? "try again later, or continue without it"
            : "read excerpt and change the arguments";
    return ToolResult.Failed.because(
            ErrorCode.UPSTREAM_ERROR.fault("the service responded with status " + status, hint))
        .with("status", Json.tree(status))
        .with("excerpt", Json.tree(StorableText.sanitize(excerpt)));
  }
}
