package dev.substrat.mcp.server;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.substrat.platform.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

/// Counts what clients left in this process: sockets from the kernel, threads and objects from the
/// JVM.
final class LeakProbe {
  private static final String ESTABLISHED = "01";

  /// The client has gone and we have not noticed.
  private static final String CLOSE_WAIT = "08";

  private LeakProbe() {}

  /// Connections that the server at `url` has open.
  static long sockets(String url) {
    String port = String.format(Locale.ROOT, ":%04X", URI.create(url).getPort());
    return Stream.of("/proc/self/net/tcp", "/proc/self/net/tcp6")
        .flatMap(file -> lines(Path.of(file)))
        .map(line -> line.strip().split("\\s+"))
        .filter(parts -> parts[1].endsWith(port))
        .filter(parts -> parts[3].equals(ESTABLISHED) || parts[3].equals(CLOSE_WAIT))
        .count();
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Files and sockets that this process has open.
  static long descriptors() {
    try (var all = Files.list(Path.of("/proc/self/fd"))) {
      return all.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Threads, virtual ones too, that have `frame` on their stack.
  static long threads(String frame) {
    try {
      Path file = Files.createTempDirectory("substrat-threads-").resolve("dump.json");
      ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
          .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
      String dump = Files.readString(file);
      Files.delete(file);
      Files.delete(file.getParent());
      return Json.own(dump).findValues("stack").stream()
          .filter(stack -> stack.toString().contains(frame))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Live objects of a class.
  static long objects(Class<?> type) {
    try {
      var name = new ObjectName("com.sun.management:type=DiagnosticCommand");
      Object histogram =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  name,
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return histogram
          .toString()
          .lines()
          .map(line -> line.strip().split("\\s+"))
          .filter(parts -> parts.length >= 4 && parts[3].equals(type.getName()))
          .mapToLong(parts -> Long.parseLong(parts[1]))
          .sum();
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Duration until at most `most` are left; gives up after `limitSeconds`.
  static double secondsUntil(LongSupplier count, long most, int limitSeconds) {
    long start = System.nanoTime();
    long end = start + TimeUnit.SECONDS.toNanos(limitSeconds);
    long left = count.getAsLong();
    while (left > most && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(1_000_000);
      left = count.getAsLong();
    }
    if (left > most) {
      throw new AssertionError(left + " are left after " + limitSeconds + " s, not " + most);
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
