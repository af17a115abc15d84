package dev.substrat.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Server-sent event stream to one client.
///
/// A client that stops reading blocks only its own thread, for a bounded time: then the write times
/// out and the connection is closed. Nothing is lost: every event carries its number, so the client
/// can resume after the last one it has seen.
public final class SseStream {
  private final OutputStream out;
  private final SocketTimeouts deadlines;
  private final Duration timeout;
  private final BooleanSupplier stopping;

  SseStream(
      OutputStream out, SocketTimeouts deadlines, Duration timeout, BooleanSupplier stopping) {
    this.out = out;
    this.deadlines = deadlines;
    this.timeout = timeout;
    this.stopping = stopping;
  }

  /// False once the daemon stops; then the writer should return.
  public boolean isOpen() {
    return !stopping.getAsBoolean();
  }

  /// Sends an event with a number after which a client can resume.
  public void send(long id, String name, byte[] json) throws IOException {
    write("id: " + id + "\nevent: " + name + "\ndata: ", json);
  }

  /// Sends an event without a number.
  public void send(String name, byte[] json) throws IOException {
    write("event: " + name + "\ndata: ", json);
  }

  public void comment(String text) throws IOException {
    write(": " + text, new byte[0]);
    flush();
  }

  /// Events are buffered until they are flushed, so that a burst needs few packets.
  public void flush() throws IOException {
    try (var _ = deadlines.within(timeout)) {
      out.flush();
    }
  }

  /// Ends the stream.
  public void end() throws IOException {
    try (var _ = deadlines.within(timeout)) {
      out.close();
    }
  }

  private void write(String head, byte[] body) throws IOException {
    try (var _ = deadlines.within(timeout)) {
      out.write(head.getBytes(StandardCharsets.UTF_8));
      out.write(body);
      out.write('\n');
      out.write('\n');
    }
  }
}
