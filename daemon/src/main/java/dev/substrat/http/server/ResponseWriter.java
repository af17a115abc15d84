package dev.substrat.http.server;

import dev.substrat.platform.json.Json;
import dev.substrat.platform.log.Log;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/// Writes responses, each within bounded time, and closes connections that cannot carry another
/// request.
///
/// Helidon writes `Connection: close` but continues to read: the rest of an unread body would be
/// parsed as the next request. Therefore such a connection is closed here.
record ResponseWriter(
    SocketTimeouts deadlines,
    ClientTimeouts timeout,
    ClientConnection wire,
    BooleanSupplier stopping) {
  private static final Log LOG = Log.of(ResponseWriter.class);
  private static final HeaderName NO_SNIFFING = HeaderNames.create("X-Content-Type-Options");

  void send(HttpReply reply, ServerRequest request, ServerResponse response) {
    boolean hasRest = hasRest(request);
    boolean isLast = isLast(request);
    switch (reply) {
      case HttpReply.StreamedReply _ -> {
        // Already sent.
      }
      case HttpReply.EventStreamReply events -> stream(events, request, response);
      default -> {
        begin(request, response);
        try (var _ = deadlines.within(timeout.reader())) {
          write(reply, request, response);
        }
      }
    }
    if (hasRest) {
      closeAfterResponse();
    }
    if (isLast) {
      throw new CloseConnectionException("the connection closes after this response");
    }
  }

  private static boolean hasRest(ServerRequest request) {
    return request.content().hasEntity() && !request.content().consumed();
  }

  private static boolean isLast(ServerRequest request) {
    return hasRest(request) || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
  }

  private static void begin(ServerRequest request, ServerResponse response) {
    if (isLast(request)) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    response.header(NO_SNIFFING, "nosniff");
  }

  private static void write(HttpReply reply, ServerRequest request, ServerResponse response) {
    switch (reply) {
      case HttpReply.EmptyReply empty -> response.status(empty.status()).send();
      case HttpReply.ContentReply content -> {
        content.headers().forEach((name, value) -> response.header(name, value));
        response.status(content.status()).header(HeaderNames.CONTENT_TYPE, content.type());
        send(content.body().getBytes(StandardCharsets.UTF_8), request, response);
      }
      case HttpReply.BinaryReply raw -> {
        raw.headers().forEach((name, value) -> response.header(name, value));
        response.header(HeaderNames.CONTENT_TYPE, raw.type());
        send(raw.bytes().get(), request, response);
      }
      case HttpReply.JsonReply json -> {
        json.headers().forEach((name, value) -> response.header(name, value));
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        response.status(json.status()).header(HeaderNames.CONTENT_TYPE, "application/json");
        send(Json.bytes(json.body()), request, response);
      }
      case HttpReply.EventStreamReply _, HttpReply.StreamedReply _ ->
          throw new IllegalStateException("an event stream has no end to send");
    }
  }

  /// A response to HEAD has no body; the client would read it as the next response.
  private static void send(byte[] body, ServerRequest request, ServerResponse response) {
    if (request.prologue().method().text().equals("HEAD")) {
      response.send();
    } else {
      response.send(body);
    }
  }

  /// A stream that the caller closes.
  SseStream open(ServerRequest request, ServerResponse response) {
    begin(request, response);
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.header(HeaderNames.create("X-Accel-Buffering"), "no");
    return new SseStream(response.outputStream(), deadlines, timeout.reader(), stopping);
  }

  private void stream(
      HttpReply.EventStreamReply events, ServerRequest request, ServerResponse response) {
    SseStream out = open(request, response);
    try {
      events.writer().write(out);
      out.end();
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("client closed an event stream", "reason", e.getMessage());
      throw new CloseConnectionException("the client closed the connection", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("the daemon is stopping", e);
    }
  }

  private void closeAfterResponse() {
    try (var _ = deadlines.within(timeout.linger())) {
      wire.drain();
    } catch (RuntimeException e) {
      LOG.debug("request body was not read completely", "reason", e.getMessage());
    }
  }
}
