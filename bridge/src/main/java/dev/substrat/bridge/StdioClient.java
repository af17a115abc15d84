package dev.substrat.bridge;

import java.io.IOException;
import java.io.OutputStream;

/// The client's end of the pipe: whole messages, one per line, whoever sends them.
///
/// Safe for many threads; nothing else in the process writes there.
final class StdioClient {
  private final OutputStream out;
  private final Runnable vanished;

  /// `vanished` is run when nobody reads any more.
  StdioClient(OutputStream out, Runnable vanished) {
    this.out = out;
    this.vanished = vanished;
  }

  /// The message must be JSON: then its line breaks are only space between words, and go.
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
