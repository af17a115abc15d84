package dev.substrat.platform.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// Format of a log line: `time level class what key=value…`. Logs go to stderr only, because stdout
/// is for the output of commands.
public final class LogLineFormatter extends Formatter {

  /// Sets this format for the whole process, including libraries.
  public static void install(String level) {
    var root = Logger.getLogger("");
    for (Handler other : root.getHandlers()) {
      root.removeHandler(other);
    }
    var handler = new ConsoleHandler();
    handler.setFormatter(new LogLineFormatter());
    handler.setLevel(Level.ALL);
    root.addHandler(handler);
    // Libraries talk at INFO about what only their authors care for.
    root.setLevel(Level.WARNING);
    OURS.setLevel(parse(level));
  }

  /// Held here because the log manager keeps loggers weakly, and a collected one forgets its level.
  private static final Logger OURS = Logger.getLogger("dev.substrat");

  private static Level parse(String level) {
    return switch (level) {
      case "debug" -> Level.FINE;
      case "warn" -> Level.WARNING;
      case "error" -> Level.SEVERE;
      default -> Level.INFO;
    };
  }

  @Override
  public String format(LogRecord record) {
    String name = record.getLoggerName() == null ? "-" : record.getLoggerName();
    var line = new StringBuilder();
    line.append(record.getInstant().truncatedTo(ChronoUnit.MILLIS));
    line.append(' ').append(word(record.getLevel()));
    line.append(' ').append(name.substring(name.lastIndexOf('.') + 1));
    line.append("  ").append(formatMessage(record)).append('\n');
    if (record.getThrown() != null) {
      var trace = new StringWriter();
      record.getThrown().printStackTrace(new PrintWriter(trace));
      line.append(trace);
    }
    return line.toString();
  }

  private static String word(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "ERROR";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "WARN ";
    }
    return level.intValue() >= Level.INFO.intValue() ? "INFO " : "DEBUG";
  }
}
