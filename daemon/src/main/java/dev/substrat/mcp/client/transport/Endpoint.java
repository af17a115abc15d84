package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.Accord;
import dev.substrat.mcp.client.Ask;
import dev.substrat.mcp.client.Deadline;
import dev.substrat.mcp.wire.HeaderText;
import dev.substrat.mcp.wire.Words;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The one address of a server that speaks Streamable HTTP, and the headers that are due there.
///
/// Safe for many threads: what they share are the accord and the session, both volatile.
public final class Endpoint {
  private final Web web;
  private final String url;
  private volatile @Nullable Accord accord;
  private volatile @Nullable String session;

  public Endpoint(Web web, String url) {
    this.web = web;
    this.url = url;
  }

  void agreed(Accord agreed) {
    accord = agreed;
  }

  boolean isModern() {
    Accord agreed = accord;
    return agreed != null && agreed.isModern();
  }

  @Nullable String session() {
    return session;
  }

  void session(@Nullable String id) {
    session = id;
  }

  OutgoingResponseStream ask(Ask ask, Deadline deadline) {
    return web.send(post(ask.message(), headers(ask)), deadline);
  }

  OutgoingResponseStream tell(ObjectNode message, Deadline deadline) {
    return web.send(post(message, headers()), deadline);
  }

  /// The stream of what the server says unasked, which must begin by the deadline.
  OutgoingResponseStream listen(Ask ask, Deadline deadline) {
    return web.listen(isModern() ? post(ask.message(), headers(ask)) : get(null), deadline);
  }

  /// A stream that broke, from where it broke.
  OutgoingResponseStream resume(String lastId, Deadline deadline) {
    return web.send(get(lastId), deadline);
  }

  void endSession(Deadline deadline) {
    Map<String, String> headers = headers();
    session = null;
    web.send(Web.Message.delete(url, headers), deadline).close();
  }

  private Web.Message post(ObjectNode message, Map<String, String> headers) {
    headers.put("Accept", "application/json, " + Web.EVENTS);
    return Web.Message.post(url, headers, message);
  }

  private Web.Message get(@Nullable String lastId) {
    Map<String, String> headers = headers();
    headers.put("Accept", Web.EVENTS);
    if (lastId != null) {
      headers.put("Last-Event-ID", lastId);
    }
    return Web.Message.get(url, headers);
  }

  /// In the modern era, what is said in the body is said again in the headers. Whoever greets has
  /// no session yet.
  private Map<String, String> headers(Ask ask) {
    JsonNode said = ask.params().path("_meta").path(Words.META + "protocolVersion");
    if (!said.isTextual()) {
      return ask.method().equals("initialize") ? new HashMap<>() : headers();
    }
    var headers = new HashMap<>(ask.headers());
    headers.put(Words.REVISION, said.textValue());
    headers.put(Words.METHOD, ask.method());
    if (ask.params().path("name").isTextual()) {
      headers.put(Words.NAME, HeaderText.encode(ask.params().path("name").textValue()));
    }
    return headers;
  }

  private Map<String, String> headers() {
    var headers = new HashMap<String, String>();
    Accord agreed = accord;
    if (agreed != null) {
      headers.put(Words.REVISION, agreed.revision());
    }
    String current = session;
    if (current != null) {
      headers.put(Words.SESSION, current);
    }
    return headers;
  }
}
