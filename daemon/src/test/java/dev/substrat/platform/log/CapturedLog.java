package dev.substrat.platform.log;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/// Collects all log lines until it is closed.
public final class CapturedLog extends Handler implements AutoCloseable {
  private final Queue<String> lines = new ConcurrentLinkedQueue<>();
  private final SimpleFormatter words = new SimpleFormatter();
  private final Level before;

  public CapturedLog() {
    Logger all = Logger.getLogger("");
    before = all.getLevel();
    all.addHandler(this);
    all.setLevel(Level.ALL);
  }

  @Override
  public void publish(LogRecord line) {
    // Not the log of a test's own server.
    if (!String.valueOf(line.getSourceClassName()).startsWith("sun.net.httpserver")) {
      lines.add(words.format(line));
    }
  }

  public String all() {
    return String.join("\n", lines);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    Logger.getLogger("").removeHandler(this);
    Logger.getLogger("").setLevel(before);
  }
}
