package dev.substrat.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Parser for server-sent events. Returns each frame as soon as it is complete.
///
/// Lines may end in LF, CR or both. An incomplete frame at the end of the stream is dropped: a
/// client that resumes by id gets it again.
public final class SseReader {
  private static final int LONGEST_LINE = 16 * 1024 * 1024;

  /// A frame of the stream.
  public sealed interface Frame {

    /// An event; it has an `id` if the stream can be resumed after it.
    record Event(@Nullable String id, String kind, String text) implements Frame {}

    /// A comment that keeps the connection alive.
    record Heartbeat() implements Frame {}

    /// The end of the stream.
    record End() implements Frame {}
  }

  private final InputStream in;
  private final byte[] buffer = new byte[8192];
  private int position;
  private int filled;
  private boolean afterReturn;
  private boolean first = true;

  /// Fields of the current event; a comment may occur within it.
  private @Nullable String id;

  private String kind = "message";
  private @Nullable StringBuilder text;

  public SseReader(InputStream in) {
    this.in = in;
  }

  public Frame next() throws IOException {
    for (String line = line(); line != null; line = line()) {
      if (line.startsWith(":")) {
        return new Frame.Heartbeat();
      }
      if (!line.isEmpty()) {
        field(line);
        continue;
      }
      Frame.Event event = text == null ? null : new Frame.Event(id, kind, text.toString());
      id = null;
      kind = "message";
      text = null;
      if (event != null) {
        return event;
      }
    }
    return new Frame.End();
  }

  private void field(String line) {
    int colon = line.indexOf(':');
    String value = colon < 0 ? "" : line.substring(colon + 1);
    if (value.startsWith(" ")) {
      value = value.substring(1);
    }
    switch (colon < 0 ? line : line.substring(0, colon)) {
      case "id" -> id = value;
      case "event" -> kind = value;
      case "data" ->
          text = text == null ? new StringBuilder(value) : text.append('\n').append(value);
      default -> {
        // The standard requires ignoring unknown fields.
      }
    }
  }

  private @Nullable String line() throws IOException {
    var line = new ByteArrayOutputStream(256);
    for (int c = octet(); c >= 0; c = octet()) {
      boolean secondHalf = afterReturn && c == '\n';
      afterReturn = c == '\r';
      if (secondHalf) {
        continue;
      }
      if (c == '\n' || c == '\r') {
        return decoded(line);
      }
      if (line.size() >= LONGEST_LINE) {
        throw new IOException("a line of the event stream is longer than 16 MiB");
      }
      line.write(c);
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
    boolean marked = first && decoded.startsWith("\ufeff");
    first = false;
    return marked ? decoded.substring(1) : decoded;
  }
}
