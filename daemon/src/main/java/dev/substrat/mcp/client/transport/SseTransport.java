package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.McpRequest;
import dev.substrat.mcp.client.NegotiatedProtocol;
import dev.substrat.mcp.client.PendingResponses;
import dev.substrat.mcp.client.RemoteDeadline;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.FailureReason;
import dev.substrat.mcp.client.ServerMessages;
import dev.substrat.protocol.SseParser;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The HTTP with SSE transport of 2024: all server messages arrive on one stream, whose first event
/// names the URL to post to.
///
/// Safe for many threads: one reads the stream, callers write and wait in [PendingResponses].
public final class SseTransport implements McpTransport {
  private static final Duration OPENING = Duration.ofSeconds(10);

  private final McpHttpRequests web;
  private final String url;
  private final Consumer<JsonNode> heard;
  private final PendingResponses answers = new PendingResponses();
  private final CompletableFuture<String> mailbox = new CompletableFuture<>();
  private final Thread reader;

  public SseTransport(McpHttpRequests web, String url, Consumer<JsonNode> heard) {
    this.web = web;
    this.url = url;
    this.heard = heard;
    this.reader = Thread.ofVirtual().name("mcp sse reader").start(this::read);
  }

  private void read() {
    var opening = McpHttpRequests.McpHttpRequest.get(url, Map.of("Accept", McpHttpRequests.EVENTS));
    try (OutgoingResponseStream reply = web.listen(opening, RemoteDeadline.in(OPENING))) {
      if (!McpHttpRequests.isStream(reply)) {
        throw RemoteFailure.status(reply.status());
      }
      var events = new SseParser(reply.body(), ServerMessages.MAX_LENGTH);
      for (var event = McpHttpRequests.next(events);
          event != null;
          event = McpHttpRequests.next(events)) {
        take(event);
      }
      end(RemoteFailure.because(FailureReason.CLOSED, "the server ended the stream"));
    } catch (RemoteFailure e) {
      end(e);
    } finally {
      end(RemoteFailure.because(FailureReason.CLOSED, "the stream is no longer read"));
    }
  }

  private void take(SseParser.SseEvent event) {
    if (event.type().equals("endpoint")) {
      mailbox.complete(inside(event.data()));
    } else {
      JsonNode message = ServerMessages.parse(event.bytes());
      if (!answers.take(message)) {
        heard.accept(message);
      }
    }
  }

  /// Only the origin of the configured server gets our headers.
  private String inside(String said) {
    try {
      URI own = URI.create(url);
      URI there = own.resolve(said);
      if (Objects.equals(own.getScheme(), there.getScheme())
          && Objects.equals(own.getRawAuthority(), there.getRawAuthority())) {
        return there.toString();
      }
    } catch (IllegalArgumentException e) {
      // Rejected below.
    }
    throw RemoteFailure.protocol("the server's message endpoint is on another origin");
  }

  private void end(RemoteFailure failure) {
    mailbox.completeExceptionally(failure);
    answers.end(failure);
  }

  @Override
  public ObjectNode ask(McpRequest ask, RemoteDeadline deadline) throws InterruptedException {
    String where = mailbox(deadline);
    return answers.await(ask.id(), () -> post(where, ask.message(), deadline), deadline);
  }

  private String mailbox(RemoteDeadline deadline) throws InterruptedException {
    try {
      return mailbox.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw deadline.passed();
    } catch (ExecutionException e) {
      throw (RemoteFailure) e.getCause();
    }
  }

  private void post(String where, ObjectNode message, RemoteDeadline deadline) {
    try (OutgoingResponseStream reply =
        web.send(McpHttpRequests.McpHttpRequest.post(where, Map.of(), message), deadline)) {
      if (reply.status() / 100 != 2) {
        throw RemoteFailure.status(reply.status());
      }
    }
  }

  @Override
  public void sendNotification(ObjectNode message, RemoteDeadline deadline) {
    try {
      post(mailbox(deadline), message, deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void agreed(NegotiatedProtocol accord) {
    // This transport is older than the header.
  }

  @Override
  public boolean listen(McpRequest ask) {
    return false;
  }

  @Override
  public boolean cancelsByLeaving() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return answers.isOpen();
  }

  @Override
  public void close() {
    end(RemoteFailure.because(FailureReason.CLOSED, "the connection was closed"));
    reader.interrupt();
  }
}
