package dev.substrat.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.capability.Secrets;
import dev.substrat.fault.Fault;
import dev.substrat.json.Characters;
import dev.substrat.json.Json;
import dev.substrat.outgoing.OutgoingStream;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.tool.Progress;
import dev.substrat.tool.ToolReply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// What a service answered, as an agent sees it: the JSON object it sent, `{"value": …}` for other
/// JSON, `{"text": …}` for anything else.
///
/// A service that answers bit by bit, in lines of JSON or as a stream of events, says with each how
/// far it is; the last is the result.
record HttpResult(Secrets secrets, Progress progress) {
  private static final int LONGEST_EXCERPT = 500;

  ToolReply of(OutgoingStream reply) {
    String type = reply.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    if (reply.status() / 100 != 2) {
      return failed(reply.status(), secrets.hide(text(reply)));
    }
    boolean isLines = type.contains("ndjson") || type.contains("jsonl");
    return isLines || type.contains("event-stream")
        ? new ToolReply.Done(lastOf(reply))
        : new ToolReply.Done(result(type, text(reply)));
  }

  private static String text(OutgoingStream reply) {
    try {
      return new String(reply.body().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode lastOf(OutgoingStream reply) {
    ObjectNode last = result("", "");
    boolean isFirst = true;
    try (var lines =
        new BufferedReader(new InputStreamReader(reply.body(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String item = line.startsWith("data:") ? line.substring("data:".length()) : line;
        if (item.isBlank() || isField(line)) {
          continue;
        }
        if (!isFirst) {
          progress.report(last);
        }
        isFirst = false;
        last = result("", item.strip());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return last;
  }

  /// Of a stream of events, what is not their data.
  private static boolean isField(String line) {
    return line.startsWith(":")
        || line.startsWith("event:")
        || line.startsWith("id:")
        || line.startsWith("retry:");
  }

  private ObjectNode result(String type, String text) {
    boolean mayBeJson = !text.isBlank() && (type.contains("json") || type.isEmpty());
    if (mayBeJson) {
      try {
        JsonNode value = secrets.hide(Json.parse(text.getBytes(StandardCharsets.UTF_8)));
        return value instanceof ObjectNode object ? object : Json.object().set("value", value);
      } catch (Fault e) {
        // Whatever it says it is, this is text.
        return inWords(text);
      }
    }
    return inWords(text);
  }

  private ObjectNode inWords(String text) {
    return Json.object().put("text", Characters.kept(secrets.hide(text)));
  }

  private static ToolReply failed(int status, String text) {
    String excerpt =
        text.length() <= LONGEST_EXCERPT ? text : text.substring(0, LONGEST_EXCERPT) + "…";
    String hint =
        status >= 500 ? "try later, or go on without it" : "look at excerpt, change the arguments";
    return ToolReply.Failed.because(
            new Fault(ErrorCode.UPSTREAM_ERROR, "the service answered " + status, hint))
        .with("status", Json.tree(status))
        .with("excerpt", Json.tree(Characters.kept(excerpt)));
  }
}
