package dev.substrat.cli.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.substrat.protocol.ErrorCode;
import dev.substrat.protocol.Fault;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What happens in a daemon, in order and without gaps, across restarts of the daemon.
///
/// The place after which to resume is known from the first moment, because the stream opens by
/// saying where it stands. The data directory is read again for each connection: a restarted daemon
/// may listen elsewhere.
public final class EventFeed implements AutoCloseable {
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(300);

  /// What following a daemon can bring.
  public sealed interface FeedItem {

    /// Something happened in the daemon.
    record EventReceived(String kind, JsonNode event) implements FeedItem {}

    /// Nothing happened, but the caller may want to look at the clock.
    record Idle() implements FeedItem {}

    /// The daemon is gone; the feed keeps looking for it.
    record Disconnected() implements FeedItem {}

    /// It is back. What happened in between follows.
    record Reconnected() implements FeedItem {}
  }

  private final Supplier<DaemonClient> daemon;
  private final String target;
  private @Nullable String lastSeen;
  private DaemonClient.@Nullable Stream stream;

  /// What the feed is about: everything, or one agent or space.
  public record Subject(@Nullable String agent, @Nullable String space) {}

  public static final Subject EVERYTHING = new Subject(null, null);

  private EventFeed(Supplier<DaemonClient> daemon, Subject subject, @Nullable String after) {
    this.daemon = daemon;
    this.target =
        DaemonClient.query("/api/events", "agent", subject.agent(), "space", subject.space());
    this.lastSeen = after;
  }

  /// Connects now; a daemon that cannot be reached at first is a fault, later it is a moment.
  /// `daemon` is asked anew for each connection.
  public static EventFeed open(
      Supplier<DaemonClient> daemon, Subject subject, @Nullable String after) {
    var feed = new EventFeed(daemon, subject, after);
    DaemonClient first = daemon.get();
    try {
      feed.stream = first.events(feed.target, after, Duration.ofSeconds(30));
    } catch (IOException e) {
      throw first.fault(e);
    }
    return feed;
  }

  /// Waits for the next moment, at most `patience`; a stream that is silent for so long, without
  /// even a heartbeat, counts as lost.
  public FeedItem next(Duration patience) throws InterruptedException {
    var open = stream;
    if (open == null) {
      return find(patience);
    }
    try {
      open.http().patience(patience);
      return switch (open.reader().next()) {
        case SseReader.Frame.Event event -> happened(event);
        case SseReader.Frame.Heartbeat _ -> new FeedItem.Idle();
        case SseReader.Frame.End _ -> lose();
      };
    } catch (IOException _) {
      return lose();
    }
  }

  private FeedItem happened(SseReader.Frame.Event event) throws IOException {
    // Before parsing: an event that cannot be read must not be asked for again and again.
    lastSeen = event.id() == null ? lastSeen : event.id();
    JsonNode json = JsonTree.parse(event.text().getBytes(StandardCharsets.UTF_8));
    if (json instanceof ObjectNode object && !object.has("kind")) {
      // Greeting and farewell are no events of the log and name themselves only in the frame.
      object.put("kind", event.kind());
    }
    if (event.kind().equals("connected") && lastSeen == null) {
      lastSeen = json.path("lastEvent").asText(null);
    }
    return new FeedItem.EventReceived(event.kind(), json);
  }

  private FeedItem lose() {
    close();
    return new FeedItem.Disconnected();
  }

  private FeedItem find(Duration patience) throws InterruptedException {
    long tries = Math.max(1, patience.dividedBy(BETWEEN_TRIES));
    for (long i = 0; i < tries; i++) {
      Thread.sleep(BETWEEN_TRIES);
      try {
        stream = daemon.get().events(target, lastSeen, Duration.ofSeconds(30));
        return new FeedItem.Reconnected();
      } catch (IOException _) {
        // Not there yet.
      } catch (Fault fault) {
        requireTransient(fault);
      }
    }
    return new FeedItem.Idle();
  }

  private static void requireTransient(Fault fault) {
    if (fault.code().kind() != ErrorCode.Kind.OUTSIDE) {
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
        // A connection that cannot be closed is closed.
      }
    }
  }
}
