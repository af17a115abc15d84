package dev.substrat.http;

import dev.substrat.json.Json;
import dev.substrat.log.Log;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;

/// Puts replies on the wire, each within bounded time, and ends connections that cannot carry
/// another request.
///
/// Helidon writes `Connection: close` but goes on reading: what is left of a body that nobody read
/// would be taken for the next request. Therefore a connection that is to end is ended here.
final class Sender {
  private static final Log LOG = Log.of(Sender.class);

  private final Deadlines deadlines;
  private final Patience patience;
  private final Wire wire;
  private final BooleanSupplier stopping;

  Sender(Deadlines deadlines, Patience patience, Wire wire, BooleanSupplier stopping) {
    this.deadlines = deadlines;
    this.patience = patience;
    this.wire = wire;
    this.stopping = stopping;
  }

  void send(Reply reply, ServerRequest request, ServerResponse response) {
    boolean hasRest = request.content().hasEntity() && !request.content().consumed();
    boolean isLast = hasRest || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
    if (isLast) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
    response.header(HeaderNames.create("X-Content-Type-Options"), "nosniff");
    if (reply instanceof Reply.Events events) {
      stream(events, response);
    } else {
      try (var _ = deadlines.within(patience.reader())) {
        write(reply, request, response);
      }
    }
    if (hasRest) {
      takeLeave();
    }
    if (isLast) {
      throw new CloseConnectionException("this was the last reply");
    }
  }

  private static void write(Reply reply, ServerRequest request, ServerResponse response) {
    switch (reply) {
      case Reply.Empty empty -> response.status(empty.status()).send();
      case Reply.Content content -> {
        content.headers().forEach((name, value) -> response.header(name, value));
        response.status(content.status()).header(HeaderNames.CONTENT_TYPE, content.type());
        send(content.body().getBytes(StandardCharsets.UTF_8), request, response);
      }
      case Reply.Json json -> {
        response.header(HeaderNames.CACHE_CONTROL, "no-store");
        response.status(json.status()).header(HeaderNames.CONTENT_TYPE, "application/json");
        send(Json.bytes(json.body()), request, response);
      }
      case Reply.Events _ -> throw new IllegalStateException("a stream has no end to send");
    }
  }

  /// A reply to HEAD has no body, or the client would take it for the start of the next reply.
  private static void send(byte[] body, ServerRequest request, ServerResponse response) {
    if (request.prologue().method().text().equals("HEAD")) {
      response.send();
    } else {
      response.send(body);
    }
  }

  private void stream(Reply.Events events, ServerResponse response) {
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream");
    response.header(HeaderNames.CACHE_CONTROL, "no-store");
    response.header(HeaderNames.create("X-Accel-Buffering"), "no");
    try (var out = response.outputStream()) {
      events.writer().write(new EventStream(out, deadlines, patience.reader(), stopping));
    } catch (IOException | UncheckedIOException e) {
      LOG.debug("an event stream's reader went away", "reason", e.getMessage());
      throw new CloseConnectionException("the reader went away", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void takeLeave() {
    try (var _ = deadlines.within(patience.farewell())) {
      wire.drain();
    } catch (RuntimeException e) {
      LOG.debug("left a request's body unread", "reason", e.getMessage());
    }
  }
}
