package dev.substrat.mcp.client.transport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.http.client.OutgoingResponseStream;
import dev.substrat.mcp.client.Accord;
import dev.substrat.mcp.client.Answers;
import dev.substrat.mcp.client.Ask;
import dev.substrat.mcp.client.Deadline;
import dev.substrat.mcp.client.Messages;
import dev.substrat.mcp.client.RemoteFailure.Reason;
import dev.substrat.mcp.client.RemoteFailure;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// The transport of 2024: everything the server says comes over one stream, whose first event says
/// where to write to.
///
/// Safe for many threads: one reads the stream, whoever asks writes and waits in [Answers].
public final class SseTransport implements Transport {
  private static final Duration OPENING = Duration.ofSeconds(10);

  private final Web web;
  private final String url;
  private final Consumer<JsonNode> heard;
  private final Answers answers = new Answers();
  private final CompletableFuture<String> mailbox = new CompletableFuture<>();
  private final Thread reader;

  public SseTransport(Web web, String url, Consumer<JsonNode> heard) {
    this.web = web;
    this.url = url;
    this.heard = heard;
    this.reader = Thread.ofVirtual().name("events of a server").start(this::read);
  }

  private void read() {
    var opening = Web.Message.get(url, Map.of("Accept", Web.EVENTS));
    try (OutgoingResponseStream reply = web.listen(opening, Deadline.in(OPENING))) {
      if (!Web.isStream(reply)) {
        throw RemoteFailure.status(reply.status());
      }
      var events = new EventReader(reply.body(), Messages.LONGEST);
      for (var event = events.next(); event != null; event = events.next()) {
        take(event);
      }
      end(RemoteFailure.because(Reason.CLOSED, "the server ended the stream"));
    } catch (RemoteFailure e) {
      end(e);
    } finally {
      end(RemoteFailure.because(Reason.CLOSED, "nobody reads the stream"));
    }
  }

  private void take(EventReader.Event event) {
    if (event.type().equals("endpoint")) {
      mailbox.complete(inside(event.data()));
    } else {
      JsonNode message = Messages.parse(event.bytes());
      if (!answers.take(message)) {
        heard.accept(message);
      }
    }
  }

  /// Our headers are for the server that was configured, and for no other.
  private String inside(String said) {
    try {
      URI own = URI.create(url);
      URI there = own.resolve(said);
      if (Objects.equals(own.getScheme(), there.getScheme())
          && Objects.equals(own.getRawAuthority(), there.getRawAuthority())) {
        return there.toString();
      }
    } catch (IllegalArgumentException e) {
      // Said below, for both.
    }
    throw RemoteFailure.protocol("the server wants its mail sent elsewhere");
  }

  private void end(RemoteFailure failure) {
    mailbox.completeExceptionally(failure);
    answers.end(failure);
  }

  @Override
  public ObjectNode ask(Ask ask, Deadline deadline) throws InterruptedException {
    String where = mailbox(deadline);
    return answers.await(ask.id(), () -> post(where, ask.message(), deadline), deadline);
  }

  private String mailbox(Deadline deadline) throws InterruptedException {
    try {
      return mailbox.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw deadline.passed();
    } catch (ExecutionException e) {
      throw (RemoteFailure) e.getCause();
    }
  }

  private void post(String where, ObjectNode message, Deadline deadline) {
    try (OutgoingResponseStream reply = web.send(Web.Message.post(where, Map.of(), message), deadline)) {
      if (reply.status() / 100 != 2) {
        throw RemoteFailure.status(reply.status());
      }
    }
  }

  @Override
  public void tell(ObjectNode message, Deadline deadline) {
    try {
      post(mailbox(deadline), message, deadline);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void agreed(Accord accord) {
    // This transport is older than the header that would say so.
  }

  @Override
  public boolean listen(Ask ask) {
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
    end(RemoteFailure.because(Reason.CLOSED, "the connection was closed"));
    reader.interrupt();
  }
}
