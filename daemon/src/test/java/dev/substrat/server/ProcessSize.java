package dev.substrat.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// Size of a Java process at one moment: live objects after a full collection in kilobytes, threads
/// of both kinds, and open file descriptors.
record ProcessSize(
    long pid, Instant at, long heap, long threads, long virtualThreads, long descriptors) {

  /// A quantity that must not grow, and by how much it may differ between the first and the last
  /// third: caches fill up, and the load is never the same.
  record Bound(String name, ToLongFunction<ProcessSize> of, double factor, long more) {
    boolean isKept(List<ProcessSize> sizes) {
      return last(sizes) <= first(sizes) * factor + more;
    }

    long first(List<ProcessSize> sizes) {
      return median(sizes.subList(0, Math.max(1, sizes.size() / 3)));
    }

    long last(List<ProcessSize> sizes) {
      return median(sizes.subList(sizes.size() * 2 / 3, sizes.size()));
    }

    private long median(List<ProcessSize> sizes) {
      long[] sorted = sizes.stream().mapToLong(of).sorted().toArray();
      return sorted[sorted.length / 2];
    }
  }

  static final List<Bound> BOUNDS =
      List.of(
          new Bound("heap after a collection (KB)", ProcessSize::heap, 1.5, 32 * 1024),
          new Bound("platform threads", ProcessSize::threads, 1.2, 20),
          new Bound("virtual threads", ProcessSize::virtualThreads, 1.5, 100),
          new Bound("file descriptors", ProcessSize::descriptors, 1.2, 50));

  /// Measures a process, which must not be stopped.
  static ProcessSize of(long pid) throws IOException, InterruptedException {
    long bytes = 0;
    long virtual = 0;
    // Counting the live objects needs a full collection first.
    for (String line : jcmd(pid, "GC.class_histogram")) {
      String[] words = line.strip().split("\\s+");
      if (words[0].equals("Total")) {
        bytes = Long.parseLong(words[2]);
      } else if (words.length > 3 && words[3].equals("java.lang.VirtualThread")) {
        virtual = Long.parseLong(words[1]);
      }
    }
    Path process = Path.of("/proc", Long.toString(pid));
    try (var descriptors = Files.list(process.resolve("fd"));
        var threads = Files.list(process.resolve("task"))) {
      return new ProcessSize(
          pid, Instant.now(), bytes / 1024, threads.count(), virtual, descriptors.count());
    }
  }

  private static List<String> jcmd(long pid, String command)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(pid),
                command)
            .redirectErrorStream(true)
            .start();
    var lines = new ArrayList<String>();
    try (var reader = process.inputReader(StandardCharsets.UTF_8)) {
      reader.lines().forEach(lines::add);
    }
    if (process.waitFor() != 0) {
      throw new IOException("jcmd " + pid + ": " + lines);
    }
    return lines;
  }

  /// The sizes of the process that lived longest, after the start: classes are still loaded then.
  static List<ProcessSize> ofLongestLife(List<ProcessSize> all, Duration start) {
    List<ProcessSize> longest = List.of();
    for (long pid : all.stream().mapToLong(ProcessSize::pid).distinct().toArray()) {
      List<ProcessSize> one = all.stream().filter(size -> size.pid == pid).toList();
      Instant begun = one.getFirst().at.plus(start);
      List<ProcessSize> warm = one.stream().filter(size -> !size.at.isBefore(begun)).toList();
      longest = warm.size() > longest.size() ? warm : longest;
    }
    return longest;
  }
}
