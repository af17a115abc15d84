package dev.substrat.platform.sandbox;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Short-lived cache of the machine's directory layout: files and their permissions change while
/// the daemon runs.
///
/// Safe for many threads: the first thread that finds the entry expired reloads it, the others
/// wait.
final class DirectoryCache implements Supplier<SystemDirectories> {
  private static final Duration LONG_AGO = Duration.ofMinutes(1);

  /// Limits scanning to this share of the time: a machine with many files is scanned less often.
  private static final int SHARE = 50;

  private @Nullable SystemDirectories seen;
  private long until;

  @Override
  public synchronized SystemDirectories get() {
    long begin = System.nanoTime();
    if (seen == null || begin - until > 0) {
      seen = SystemDirectories.here();
      long end = System.nanoTime();
      until = end + Math.max(LONG_AGO.toNanos(), SHARE * (end - begin));
    }
    return seen;
  }
}
