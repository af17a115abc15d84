package dev.substrat.mcp.client.transport;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.substrat.http.client.OutgoingFailure;
import dev.substrat.mcp.client.RemoteFailure;
import dev.substrat.mcp.client.RemoteFailure.Reason;
import dev.substrat.protocol.Bytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Parser of server-sent events from an untrusted stream, with a limit on the size of an event.
/// Used by one thread.
public final class SseParser {
  /// Upper bound of the retry delay that a server may request.
  private static final long LONGEST_RETRY = 60_000;

  private static final int END = -1;

  private final InputStream in;
  private final int limit;
  private final byte[] buffer = new byte[8192];
  private int at;
  private int end;
  private boolean afterReturn;
  private @Nullable String lastId;
  private Duration retry = Duration.ofSeconds(1);

  public SseParser(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  /// A received event; its type defaults to `message`.
  public record Event(String type, String data) {
    byte[] bytes() {
      return data.getBytes(UTF_8);
    }
  }

  /// Continues with another stream where this one ended.
  public SseParser resumed(InputStream next) {
    var reader = new SseParser(next, limit);
    reader.lastId = lastId;
    reader.retry = retry;
    return reader;
  }

  /// Id of the last event, to resume the stream after it.
  @Nullable
  public String lastId() {
    return lastId;
  }

  /// Delay before reconnecting.
  public Duration retry() {
    return retry;
  }

  /// Blocks until there is an event with data; null at the end of the stream.
  @Nullable
  public Event next() {
    String type = "message";
    var data = new StringBuilder();
    boolean hasData = false;
    for (String line = line(); line != null; line = line()) {
      if (line.isEmpty()) {
        if (hasData && !data.isEmpty()) {
          return new Event(type, data.toString());
        }
        type = "message";
        data.setLength(0);
        hasData = false;
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : line.substring(colon + 1);
      value = value.startsWith(" ") ? value.substring(1) : value;
      switch (field) {
        case "event" -> type = value.isEmpty() ? "message" : value;
        case "data" -> {
          data.append(hasData ? "\n" : "").append(value);
          hasData = true;
          requireRoom(data.length());
        }
        case "id" -> lastId = value.isEmpty() || value.indexOf('\0') >= 0 ? lastId : value;
        case "retry" -> retry = retry(value);
        default -> {}
      }
    }
    return null;
  }

  private Duration retry(String value) {
    boolean isNumber = !value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9');
    return isNumber && value.length() < 10
        ? Duration.ofMillis(Math.min(LONGEST_RETRY, Long.parseLong(value)))
        : retry;
  }

  /// A line ends with a line feed, a carriage return, or both.
  private @Nullable String line() {
    var line = new ByteArrayOutputStream();
    for (int b = read(); b != END; b = read()) {
      if (b == '\n' && afterReturn) {
        afterReturn = false;
        continue;
      }
      afterReturn = b == '\r';
      if (b == '\n' || b == '\r') {
        return line.toString(UTF_8);
      }
      line.write(b);
      requireRoom(line.size());
    }
    return null;
  }

  private int read() {
    if (at == end) {
      at = 0;
      end = Math.max(0, fill());
      if (end == 0) {
        return END;
      }
    }
    return buffer[at++] & 0xff;
  }

  private int fill() {
    try {
      return in.read(buffer);
    } catch (OutgoingFailure e) {
      throw RemoteFailure.on(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireRoom(int size) {
    if (size > limit) {
      throw RemoteFailure.because(
          Reason.TOO_LARGE, "the server sent a message larger than " + Bytes.words(limit));
    }
  }
}
