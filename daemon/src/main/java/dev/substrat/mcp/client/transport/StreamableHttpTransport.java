package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.ServerMessages;
import dev.substrat.mcp.wire.McpHeaders;
import dev.substrat.platform.json.Json;
import dev.substrat.protocol.SseParser;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Transport over Streamable HTTP, both eras: each request is a POST, whose response is JSON or a
/// stream that ends with the result. In the legacy era a broken stream can be resumed.
///
/// Safe for many threads: each request belongs to its caller, shared state is in [McpEndpoint].
public final class StreamableHttpTransport implements McpTransport {
  /// Usually a wrong URL, rather than a broken server.
  private static final String NO_SERVER =
      "the response is not an MCP message: this does not seem to be an MCP server";

  private static final Duration OPENING = Duration.ofSeconds(10);
  private static final Duration GOODBYE = Duration.ofSeconds(2);
  private static final int MAX_RESUMPTIONS = 20;

  /// Code that some servers of the legacy era use for an unknown session, instead of 404.
  private static final int UNKNOWN_SESSION = -32000;

  private final McpEndpoint endpoint;
  private final Consumer<JsonNode> heard;
  private volatile boolean open = true;

  public StreamableHttpTransport(McpEndpoint endpoint, Consumer<JsonNode> heard) {
    this.endpoint = endpoint;
    this.heard = heard;
  }

  @Override
  public void agreed(NegotiatedProtocol accord) {
    endpoint.agreed(accord);
  }

  @Override
  public ObjectNode ask(McpRequest ask, RemoteDeadline deadline) throws InterruptedException {
    boolean greets = ask.method().equals("initialize");
    String session = greets ? null : endpoint.session();
    try (OutgoingResponseStream reply = endpoint.ask(ask, deadline)) {
      if (greets && reply.status() / 100 == 2) {
        endpoint.session(reply.header(McpHeaders.SESSION.toLowerCase(Locale.ROOT)).orElse(null));
      }
      return McpHttpRequests.isStream(reply)
          ? fromStream(ask, reply, deadline)
          : fromBody(ask, session, reply);
    }
  }

  private static ObjectNode fromBody(
      McpRequest ask, @Nullable String session, OutgoingResponseStream reply) {
    byte[] body = ServerMessages.read(reply.body());
    if (reply.status() / 100 != 2) {
      return refused(reply.status(), body, session);
    }
    JsonNode message = message(body);
    for (JsonNode one : message.isArray() ? message : Json.object().putArray("one").add(message)) {
      if (one instanceof ObjectNode answer && ServerMessages.answers(one, ask.id())) {
        return answer;
      }
    }
    throw RemoteFailure.protocol(NO_SERVER);
  }

  private static JsonNode message(byte[] body) {
    try {
      return ServerMessages.parse(body);
    } catch (RemoteFailure e) {
      throw RemoteFailure.because(e.reason(), NO_SERVER, e);
    }
  }

  private static ObjectNode refused(int status, byte[] body, @Nullable String session) {
    Optional<ObjectNode> error;
    try {
      error = ServerMessages.error(ServerMessages.parse(body));
    } catch (RemoteFailure e) {
      // A page for people, or nothing at all.
      error = Optional.empty();
    }
    int code = error.map(one -> one.path("error").path("code").asInt()).orElse(0);
    if (session != null && (status == 404 || (status == 400 && code == UNKNOWN_SESSION))) {
      throw forgotten();
    }
    return error.orElseThrow(() -> RemoteFailure.status(status));
  }

  private static RemoteFailure forgotten() {
    return RemoteFailure.because(
        FailureReason.SESSION_LOST, "the server no longer knows the session");
  }

  private ObjectNode fromStream(
      McpRequest ask, OutgoingResponseStream first, RemoteDeadline deadline)
      throws InterruptedException {
    var events = new SseParser(first.body(), ServerMessages.MAX_LENGTH);
    Optional<ObjectNode> found = read(events, ask.id());
    for (int again = 0; found.isEmpty(); again++) {
      String last = events.lastId();
      if (last == null || endpoint.isModern() || again == MAX_RESUMPTIONS) {
        throw unanswered();
      }
      Thread.sleep(deadline.atMost(events.retry()).left());
      try (OutgoingResponseStream reply = endpoint.resume(last, deadline)) {
        if (!McpHttpRequests.isStream(reply)) {
          throw unanswered();
        }
        events = events.resumed(reply.body());
        found = read(events, ask.id());
      }
    }
    return found.get();
  }

  private static RemoteFailure unanswered() {
    return RemoteFailure.because(
        FailureReason.CLOSED, "the server ended the stream without a response");
  }

  /// Reads up to the answer. A stream that breaks where it can be resumed has just ended.
  private Optional<ObjectNode> read(SseParser events, long id) {
    try {
      for (var event = McpHttpRequests.next(events);
          event != null;
          event = McpHttpRequests.next(events)) {
        JsonNode message = ServerMessages.parse(event.bytes());
        if (message instanceof ObjectNode answer && ServerMessages.answers(message, id)) {
          return Optional.of(answer);
        }
        if (!ServerMessages.isAnswer(message)) {
          heard.accept(message);
        }
      }
    } catch (RemoteFailure e) {
      if (e.reason() != FailureReason.CLOSED || events.lastId() == null) {
        throw e;
      }
    }
    return Optional.empty();
  }

  @Override
  public void sendNotification(ObjectNode message, RemoteDeadline deadline) {
    endpoint.post(message, deadline).close();
  }

  @Override
  public boolean listen(McpRequest ask) {
    try (OutgoingResponseStream reply = endpoint.listen(ask, RemoteDeadline.in(OPENING))) {
      if (reply.status() == 404 && endpoint.session() != null) {
        throw forgotten();
      }
      if (!McpHttpRequests.isStream(reply)) {
        throw RemoteFailure.status(reply.status());
      }
      read(new SseParser(reply.body(), ServerMessages.MAX_LENGTH), ask.id());
      return true;
    }
  }

  @Override
  public boolean cancelsByLeaving() {
    return endpoint.isModern();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /// Ends the session, if there is one.
  @Override
  public void close() {
    open = false;
    if (endpoint.session() != null) {
      try {
        endpoint.endSession(RemoteDeadline.in(GOODBYE));
      } catch (RemoteFailure e) {
        // The session will expire on the server.
      }
    }
  }
}
