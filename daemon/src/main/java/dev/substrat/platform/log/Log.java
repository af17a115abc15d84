package dev.substrat.platform.log;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// Logger that writes one line per event: what happened, then `key=value` pairs. Never a secret,
/// never a whole prompt.
public final class Log {
  private final Logger logger;

  private Log(Logger logger) {
    this.logger = logger;
  }

  /// Keeps logging active until the process ends. Call it before the first log line. It cannot be
  /// in [ShutdownSafeLogManager]: loading that class would already select the JDK's log manager.
  public static void keepUntilTheEnd() {
    System.setProperty("java.util.logging.manager", ShutdownSafeLogManager.class.getName());
  }

  public static Log of(Class<?> owner) {
    return new Log(System.getLogger(owner.getName()));
  }

  public void debug(String what, @Nullable Object... pairs) {
    write(Level.DEBUG, what, null, pairs);
  }

  public void info(String what, @Nullable Object... pairs) {
    write(Level.INFO, what, null, pairs);
  }

  public void warn(String what, @Nullable Object... pairs) {
    write(Level.WARNING, what, null, pairs);
  }

  /// A bug: the only line with a stack trace.
  public void error(String what, Throwable failure, @Nullable Object... pairs) {
    write(Level.ERROR, what, failure, pairs);
  }

  private void write(
      Level level, String what, @Nullable Throwable failure, @Nullable Object[] pairs) {
    if (!logger.isLoggable(level)) {
      return;
    }
    var line = new StringBuilder(what);
    for (int i = 0; i + 1 < pairs.length; i += 2) {
      line.append(' ').append(pairs[i]).append('=').append(quoted(pairs[i + 1]));
    }
    logger.log(level, line.toString(), failure);
  }

  private static String quoted(@Nullable Object value) {
    String text = String.valueOf(value);
    boolean plain =
        !text.isEmpty() && text.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
    return plain
        ? text
        : '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
