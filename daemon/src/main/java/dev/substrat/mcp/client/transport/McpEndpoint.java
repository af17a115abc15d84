package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.McpHeaders;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// URL of a Streamable HTTP server, and the headers it requires.
///
/// Safe for many threads: the shared protocol and session are volatile.
public final class McpEndpoint {
  private final McpHttpRequests web;
  private final String url;
  private volatile @Nullable NegotiatedProtocol accord;
  private volatile @Nullable String session;

  public McpEndpoint(McpHttpRequests web, String url) {
    this.web = web;
    this.url = url;
  }

  void agreed(NegotiatedProtocol agreed) {
    accord = agreed;
  }

  boolean isModern() {
    NegotiatedProtocol agreed = accord;
    return agreed != null && agreed.isModern();
  }

  @Nullable String session() {
    return session;
  }

  void session(@Nullable String id) {
    session = id;
  }

  OutgoingResponseStream ask(McpRequest ask, RemoteDeadline deadline) {
    return web.send(post(ask.message(), headers(ask)), deadline);
  }

  OutgoingResponseStream post(ObjectNode message, RemoteDeadline deadline) {
    return web.send(post(message, headers()), deadline);
  }

  /// Stream of server messages, which must start by the deadline.
  OutgoingResponseStream listen(McpRequest ask, RemoteDeadline deadline) {
    return web.listen(isModern() ? post(ask.message(), headers(ask)) : get(null), deadline);
  }

  /// Resumes a broken stream.
  OutgoingResponseStream resume(String lastId, RemoteDeadline deadline) {
    return web.send(get(lastId), deadline);
  }

  void endSession(RemoteDeadline deadline) {
    Map<String, String> headers = headers();
    session = null;
    web.send(McpHttpRequests.McpHttpRequest.delete(url, headers), deadline).close();
  }

  private McpHttpRequests.McpHttpRequest post(ObjectNode message, Map<String, String> headers) {
    headers.put("Accept", "application/json, " + McpHttpRequests.EVENTS);
    return McpHttpRequests.McpHttpRequest.post(url, headers, message);
  }

  private McpHttpRequests.McpHttpRequest get(@Nullable String lastId) {
    Map<String, String> headers = headers();
    headers.put("Accept", McpHttpRequests.EVENTS);
    if (lastId != null) {
      headers.put("Last-Event-ID", lastId);
    }
    return McpHttpRequests.McpHttpRequest.get(url, headers);
  }

  /// In the modern era, metadata of the body is repeated in the headers. The first request has no
  /// session yet.
  private Map<String, String> headers(McpRequest ask) {
    JsonNode said = ask.params().path("_meta").path(McpHeaders.META + "protocolVersion");
    if (!said.isTextual()) {
      return ask.method().equals("initialize") ? new HashMap<>() : headers();
    }
    var headers = new HashMap<>(ask.headers());
    headers.put(McpHeaders.REVISION, said.textValue());
    headers.put(McpHeaders.METHOD, ask.method());
    if (ask.params().path("name").isTextual()) {
      headers.put(McpHeaders.NAME, HeaderText.encode(ask.params().path("name").textValue()));
    }
    return headers;
  }

  private Map<String, String> headers() {
    var headers = new HashMap<String, String>();
    NegotiatedProtocol agreed = accord;
    if (agreed != null) {
      headers.put(McpHeaders.REVISION, agreed.revision());
    }
    String current = session;
    if (current != null) {
      headers.put(McpHeaders.SESSION, current);
    }
    return headers;
  }
}
