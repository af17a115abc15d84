package dev.substrat.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Parser for server-sent events. Returns each event as soon as it is complete.
///
/// Only `data` fields are read. Comments are ignored. An incomplete event at the end of the stream
/// is dropped.
final class SseEventReader {
  private static final int MAX_SIZE = 32 * 1024 * 1024;
  private static final byte[] DATA = {'d', 'a', 't', 'a'};

  private final DaemonReply reply;
  private final byte[] buffer = new byte[8192];
  private int position;
  private int filled;
  private boolean afterReturn;

  SseEventReader(DaemonReply reply) {
    this.reply = reply;
  }

  /// Data of the next event; empty at the end of the stream.
  byte @Nullable [] next() throws IOException {
    var data = new ByteArrayOutputStream(512);
    boolean hasData = false;
    for (byte[] line = line(); line != null; line = line()) {
      if (line.length == 0 && hasData) {
        return data.toByteArray();
      }
      int value = value(line);
      if (value >= 0) {
        if (hasData) {
          data.write('\n');
        }
        data.write(line, value, line.length - value);
        hasData = true;
        requireBearable(data.size());
      }
    }
    return null;
  }

  /// Offset of the value in a `data` line; -1 for other lines.
  private static int value(byte[] line) {
    for (int i = 0; i < DATA.length; i++) {
      if (i >= line.length || line[i] != DATA[i]) {
        return -1;
      }
    }
    if (line.length == DATA.length) {
      return line.length;
    }
    if (line[DATA.length] != ':') {
      return -1;
    }
    int value = DATA.length + 1;
    return value < line.length && line[value] == ' ' ? value + 1 : value;
  }

  /// Lines end in LF, CR or both.
  private byte @Nullable [] line() throws IOException {
    var line = new ByteArrayOutputStream(512);
    while (fill()) {
      int end = position;
      while (end < filled && buffer[end] != '\n' && buffer[end] != '\r') {
        end++;
      }
      boolean isRest = afterReturn && end == position && end < filled && buffer[end] == '\n';
      line.write(buffer, position, end - position);
      requireBearable(line.size());
      position = Math.min(filled, end + 1);
      if (end < filled) {
        afterReturn = buffer[end] == '\r';
        if (!isRest) {
          return line.toByteArray();
        }
      } else {
        afterReturn = false;
      }
    }
    return null;
  }

  private boolean fill() throws IOException {
    if (position == filled) {
      position = 0;
      filled = Math.max(0, reply.read(buffer));
    }
    return filled > 0;
  }

  private static void requireBearable(int size) {
    if (size > MAX_SIZE) {
      throw new BridgeError(
          "TOO_LARGE",
          "an event of the daemon is larger than 32 MB",
          "request less data at a time");
    }
  }
}
