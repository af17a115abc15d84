package dev.substrat.protocol;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Parser for server-sent events. Returns each frame as soon as it is complete. Used by one thread.
///
/// Lines may end in LF, CR or both. An incomplete event at the end of the stream is dropped: a
/// client that resumes by id gets it again.
public final class SseParser {
  /// Upper bound of the retry delay that a server may request.
  private static final long MAX_RETRY_MILLIS = 60_000;

  private static final String DEFAULT_TYPE = "message";

  /// A frame of the stream.
  public sealed interface SseFrame {}

  /// An event; it has an `id` if the stream can be resumed after it.
  public record SseEvent(@Nullable String id, String type, String data) implements SseFrame {
    public byte[] bytes() {
      return data.getBytes(StandardCharsets.UTF_8);
    }
  }

  /// A comment that keeps the connection alive.
  public record SseHeartbeat() implements SseFrame {}

  /// The end of the stream.
  public record SseStreamEnd() implements SseFrame {}

  /// A line or an event is larger than the limit.
  public static final class SseTooLargeException extends IOException {
    SseTooLargeException(int limit) {
      super("the server sent an event larger than " + ByteSizeFormatter.words(limit));
    }
  }

  private final InputStream in;
  private final int limit;
  private final byte[] buffer = new byte[8192];
  private int position;
  private int filled;
  private boolean afterReturn;
  private boolean isFirst = true;
  private @Nullable String lastId;
  private Duration retry = Duration.ofSeconds(1);

  /// Fields of the current event; a comment may occur within it.
  private @Nullable String id;

  private String type = DEFAULT_TYPE;
  private @Nullable StringBuilder data;

  /// `limit` is the maximum size of an event in bytes.
  public SseParser(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /// Goes on with another stream where this one ended.
  public SseParser resumed(InputStream next) {
    var parser = new SseParser(next, limit);
    parser.lastId = lastId;
    parser.retry = retry;
    return parser;
  }

  /// The id of the last event that had one: from here on the stream can be asked for again.
  @Nullable
  public String lastId() {
    return lastId;
  }

  /// Delay before reconnecting.
  public Duration retry() {
    return retry;
  }

  /// The next event that has data; null at the end of the stream.
  @Nullable
  public SseEvent nextEvent() throws IOException {
    for (SseFrame frame = next(); !(frame instanceof SseStreamEnd); frame = next()) {
      if (frame instanceof SseEvent event && !event.data().isEmpty()) {
        return event;
      }
    }
    return null;
  }

  public SseFrame next() throws IOException {
    for (String line = line(); line != null; line = line()) {
      if (line.startsWith(":")) {
        return new SseHeartbeat();
      }
      if (!line.isEmpty()) {
        field(line);
        continue;
      }
      SseEvent event = data == null ? null : new SseEvent(id, type, data.toString());
      id = null;
      type = DEFAULT_TYPE;
      data = null;
      if (event != null) {
        return event;
      }
    }
    return new SseStreamEnd();
  }

  private void field(String line) throws SseTooLargeException {
    int colon = line.indexOf(':');
    String value = colon < 0 ? "" : line.substring(colon + 1);
    value = value.startsWith(" ") ? value.substring(1) : value;
    switch (colon < 0 ? line : line.substring(0, colon)) {
      case "event" -> type = value.isEmpty() ? DEFAULT_TYPE : value;
      case "data" -> {
        data = data == null ? new StringBuilder(value) : data.append('\n').append(value);
        requireRoom(data.length());
      }
      case "id" -> {
        if (!value.isEmpty() && value.indexOf('\0') < 0) {
          id = value;
          lastId = value;
        }
      }
      case "retry" -> {
        if (value.matches("[0-9]{1,9}")) {
          retry = Duration.ofMillis(Math.min(MAX_RETRY_MILLIS, Long.parseLong(value)));
        }
      }
      default -> {
        // The standard requires ignoring unknown fields.
      }
    }
  }

  private @Nullable String line() throws IOException {
    var line = new ByteArrayOutputStream(256);
    for (int c = octet(); c >= 0; c = octet()) {
      boolean isSecondHalf = afterReturn && c == '\n';
      afterReturn = c == '\r';
      if (isSecondHalf) {
        continue;
      }
      if (c == '\n' || c == '\r') {
        return decoded(line);
      }
      line.write(c);
      requireRoom(line.size());
    }
    return null;
  }

  private int octet() throws IOException {
    if (position == filled) {
      filled = Math.max(in.read(buffer), 0);
      position = 0;
    }
    return filled == 0 ? -1 : buffer[position++] & 0xff;
  }

  private String decoded(ByteArrayOutputStream line) {
    String decoded = line.toString(StandardCharsets.UTF_8);
    boolean isMarked = isFirst && decoded.startsWith("\ufeff");
    isFirst = false;
    return isMarked ? decoded.substring(1) : decoded;
  }

  private void requireRoom(int size) throws SseTooLargeException {
    if (size > limit) {
      throw new SseTooLargeException(limit);
    }
  }
}
