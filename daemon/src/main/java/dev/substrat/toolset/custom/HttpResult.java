package dev.substrat.toolset.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.platform.json.Json;
import dev.substrat.platform.json.StorableText;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.team.toolconfig.UsedSecrets;
import dev.substrat.tool.ToolResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
  private static final String DATA = "data:";

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
    try (var lines = lines(reply)) {
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

  /// An event ends with a blank line; its data may have several lines. Other fields are ignored.
  private ObjectNode lastEvent(OutgoingResponseStream reply) {
    ObjectNode last = result("", "");
    var data = new StringBuilder();
    try (var lines = lines(reply)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(DATA)) {
          data.append(line, DATA.length(), line.length()).append('\n');
        } else if (line.isEmpty() && !data.toString().isBlank()) {
          last = received(data.toString());
          data.setLength(0);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    // Some services leave out the last blank line.
    return data.toString().isBlank() ? last : received(data.toString());
  }

  private static BufferedReader lines(OutgoingResponseStream reply) {
    return new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8));
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
        // Whatever it says it is, this is text.
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
            new Fault(
                ErrorCode.UPSTREAM_ERROR, "the service responded with status " + status, hint))
        .with("status", Json.tree(status))
        .with("excerpt", Json.tree(StorableText.sanitize(excerpt)));
  }
}
