package dev.substrat.platform.process;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/// Writes to a program's stdin on a separate thread, so that a program that does not read its input
/// cannot block reading its output.
final class StdinWriter {
  /// If more input than this is unread, the program is considered stuck.
  private static final long MOST_WAITING = 8L << 20;

  private static final byte[] END = {};

  private final LinkedBlockingQueue<byte[]> waiting = new LinkedBlockingQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final OutputStream out;

  StdinWriter(OutputStream out) {
    this.out = out;
  }

  /// False if too much input is unread.
  boolean send(byte[] line) {
    if (bytes.get() > 0 && bytes.get() + line.length > MOST_WAITING) {
      return false;
    }
    bytes.addAndGet(line.length);
    return waiting.add(line);
  }

  /// Closes stdin after the queued input is written.
  void end() {
    waiting.add(END);
  }

  /// Writes until the end, or until the program closes its stdin.
  void write() {
    try (out) {
      for (byte[] line = waiting.take(); line.length > 0; line = waiting.take()) {
        out.write(line);
        out.write('\n');
        out.flush();
        bytes.addAndGet(-line.length);
      }
    } catch (IOException e) {
      // The process has ended; its exit is reported separately.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
