package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.GuardedHttpClient;
import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.http.client.OutgoingRequest;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.ServerMessages;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.ByteSizeFormatter;
import dev.substrat.protocol.SseParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// HTTP requests to one server, with its configured headers.
///
/// Safe for many threads: cached values are the same for every writer.
public final class McpHttpRequests {
  static final String EVENTS = "text/event-stream";

  /// Enough for many progress notifications and a result.
  private static final long MAX_BYTES = 32L << 20;

  private final GuardedHttpClient outgoing;
  private final Map<String, String> configured;

  /// The last URL that passed the check. There is usually only one, and the operator's allowed
  /// hosts do not change.
  private volatile String known = "";

  public McpHttpRequests(GuardedHttpClient outgoing, Map<String, String> configured) {
    this.outgoing = outgoing;
    this.configured = Map.copyOf(configured);
  }

  /// A response that must be complete by the deadline.
  OutgoingResponseStream send(McpHttpRequest message, RemoteDeadline deadline) {
    return open(message, deadline, MAX_BYTES);
  }

  /// A response that must start by the deadline and then lasts until it is closed.
  OutgoingResponseStream listen(McpHttpRequest message, RemoteDeadline deadline) {
    return open(message, deadline, Long.MAX_VALUE).untilClosed();
  }

  /// Request; `body` may be empty.
  record McpHttpRequest(String method, String url, Map<String, String> headers, String body) {
    static McpHttpRequest get(String url, Map<String, String> headers) {
      return new McpHttpRequest("GET", url, headers, "");
    }

    static McpHttpRequest post(String url, Map<String, String> headers, ObjectNode message) {
      var own = new HashMap<>(headers);
      own.put("Content-Type", "application/json");
      return new McpHttpRequest("POST", url, own, Json.text(message));
    }

    static McpHttpRequest delete(String url, Map<String, String> headers) {
      return new McpHttpRequest("DELETE", url, headers, "");
    }
  }

  private OutgoingResponseStream open(
      McpHttpRequest message, RemoteDeadline deadline, long mostBytes) {
    if (deadline.isOver()) {
      throw deadline.passed();
    }
    // Headers of the protocol override configured ones, in any spelling.
    var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(configured);
    headers.putAll(message.headers());
    try {
      requirePrivacy(message.url());
      return outgoing.open(
          new OutgoingRequest(
              message.method(),
              message.url(),
              headers,
              message.body(),
              deadline.left(),
              mostBytes));
    } catch (OutgoingFailure e) {
      throw RemoteFailure.on(e);
    }
  }

  /// On the way to a public host, a third party could read our headers and forge responses.
  private void requirePrivacy(String url) {
    if (url.equals(known)) {
      return;
    }
    if (!url.toLowerCase(Locale.ROOT).startsWith("https:") && !outgoing.isAllowed(url)) {
      throw RemoteFailure.because(
          RemoteFailure.FailureReason.BLOCKED,
          "http is allowed only for hosts that the operator allowed; use https");
    }
    known = url;
  }

  /// The next event of a stream that has data; null at its end.
  static SseParser.@Nullable SseEvent next(SseParser events) {
    try {
      return events.nextEvent();
    } catch (SseParser.SseTooLargeException e) {
      throw RemoteFailure.because(
          RemoteFailure.FailureReason.TOO_LARGE,
          "the server sent a message larger than "
              + ByteSizeFormatter.words(ServerMessages.MAX_LENGTH),
          e);
    } catch (OutgoingFailure e) {
      throw RemoteFailure.on(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static boolean isStream(OutgoingResponseStream reply) {
    String type = reply.header("content-type").orElse("").toLowerCase(Locale.ROOT);
    return reply.status() / 100 == 2 && type.startsWith(EVENTS);
  }
}
