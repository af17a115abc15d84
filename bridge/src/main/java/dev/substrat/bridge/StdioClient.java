package dev.substrat.bridge;

import java.io.IOException;
import java.io.OutputStream;

/// Writes messages to the client on stdout, one per line.
///
/// Thread-safe; nothing else in the process writes to stdout.
final class StdioClient {
  private final OutputStream out;
  private final Runnable vanished;

  /// `vanished` runs when the client has closed its input.
  StdioClient(OutputStream out, Runnable vanished) {
    this.out = out;
    this.vanished = vanished;
  }

  /// The message must be JSON, so that its line breaks are whitespace and can be removed.
  void send(byte[] message) {
    var line = new byte[message.length + 1];
    for (int i = 0; i < message.length; i++) {
      byte b = message[i];
      line[i] = b == '\n' || b == '\r' ? (byte) ' ' : b;
    }
    line[message.length] = '\n';
    try {
      synchronized (this) {
        out.write(line);
        out.flush();
      }
    } catch (IOException _) {
      vanished.run();
    }
  }
}
