package dev.substrat.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import dev.substrat.protocol.SseParser;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Event stream of a daemon, in order and without gaps, across restarts of the daemon.
///
/// The resume position is known from the start, because the first event of the stream reports it.
/// The data directory is read again for each connection, because a restarted daemon may have
/// another address.
public final class EventFeed implements AutoCloseable {
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

  /// An item of the feed.
  public sealed interface FeedItem {

    /// An event of the daemon.
    record EventReceived(String kind, JsonNode event) implements FeedItem {}

    /// No event; lets the caller check its timeout.
    record NoEvent() implements FeedItem {}

    /// The connection is lost; the feed tries to reconnect.
    record Disconnected() implements FeedItem {}

    /// The connection is restored. Missed events follow.
    record Reconnected() implements FeedItem {}
  }

  private final Supplier<DaemonClient> daemon;
  private final String target;
  private @Nullable String lastSeen;
  private DaemonClient.@Nullable EventStreamConnection stream;

  /// Filter: everything, or one agent or space.
  public record EventFilter(@Nullable String agent, @Nullable String space) {}

  public static final EventFilter EVERYTHING = new EventFilter(null, null);

  private EventFeed(Supplier<DaemonClient> daemon, EventFilter subject, @Nullable String after) {
    this.daemon = daemon;
    this.target =
        DaemonClient.query("/api/events", "agent", subject.agent(), "space", subject.space());
    this.lastSeen = after;
  }

  /// Connects. If the daemon is unreachable now, this is a fault; later it is a [FeedItem].
  /// `daemon` is called for each connection.
  public static EventFeed open(
      Supplier<DaemonClient> daemon, EventFilter subject, @Nullable String after) {
    var feed = new EventFeed(daemon, subject, after);
    DaemonClient first = daemon.get();
    try {
      feed.stream = first.events(feed.target, after, Duration.ofSeconds(30));
    } catch (IOException e) {
      throw first.fault(e);
    }
    return feed;
  }

  /// Waits for the next item, at most `patience`. A stream without any data, even a heartbeat, for
  /// that long counts as lost.
  public FeedItem next(Duration timeout) throws InterruptedException {
    var open = stream;
    if (open == null) {
      return find(timeout);
    }
    try {
      open.http().readTimeout(timeout);
      return switch (open.reader().next()) {
        case SseParser.SseEvent event -> happened(event);
        case SseParser.SseHeartbeat _ -> new FeedItem.NoEvent();
        case SseParser.SseStreamEnd _ -> lose();
      };
    } catch (IOException _) {
      return lose();
    }
  }

  private FeedItem happened(SseParser.SseEvent event) throws IOException {
    // Set before parsing, so that an unreadable event is not requested again.
    lastSeen = event.id() == null ? lastSeen : event.id();
    JsonNode json = JsonTree.parse(event.bytes());
    if (json instanceof ObjectNode object && !object.has("kind")) {
      // `connected` and `goodbye` are not log events; their kind is only in the frame.
      object.put("kind", event.type());
    }
    if (event.type().equals("connected") && lastSeen == null) {
      lastSeen = json.path("lastEvent").asText(null);
    }
    return new FeedItem.EventReceived(event.type(), json);
  }

  private FeedItem lose() {
    close();
    return new FeedItem.Disconnected();
  }

  private FeedItem find(Duration timeout) throws InterruptedException {
    long tries = Math.max(1, timeout.dividedBy(BETWEEN_TRIES));
    for (long i = 0; i < tries; i++) {
      Thread.sleep(BETWEEN_TRIES);
      try {
        stream = daemon.get().events(target, lastSeen, Duration.ofSeconds(30));
        return new FeedItem.Reconnected();
      } catch (IOException _) {
        // Still unreachable.
      } catch (Fault fault) {
        requireTransient(fault);
      }
    }
    return new FeedItem.NoEvent();
  }

  private static void requireTransient(Fault fault) {
    if (fault.code().kind() != ErrorCode.ErrorKind.OUTSIDE) {
      throw fault;
    }
  }

  @Override
  public void close() {
    var open = stream;
    stream = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException _) {
        // The connection is unusable anyway.
      }
    }
  }
}
