package dev.substrat.platform.sandbox;

import dev.substrat.platform.log.Log;
import dev.substrat.platform.process.ChildProcess;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Stops sandboxes that use too much memory in total, or fill a disk. Without a cgroup the kernel
/// limits only single processes and files.
///
/// If a disk is almost full, the sandbox that has written most is stopped, but only if the free
/// space has shrunk since that sandbox started. The others continue.
///
/// Safe for many threads: a thread of its own checks the usage while there is a sandbox.
final class ResourceWatcher {
  private static final Log LOG = Log.of(ResourceWatcher.class);
  private static final Duration USUAL_PAUSE = Duration.ofMillis(500);

  /// Time between checks if a limit is near: a program fills a gigabyte in less than the usual
  /// pause.
  private static final Duration SHORT_PAUSE = Duration.ofMillis(50);

  private static final long MB = 1L << 20;

  /// Space that a sandbox may take from a disk that was almost full when it started.
  private static final long SLACK = 16 * MB;

  /// A limit is near if no more than this many times what must stay free is free.
  private static final int NEAR = 4;

  private final ResourceLimits limits;
  private final List<WatchedSandbox> all = new ArrayList<>();
  private boolean isRunning;

  ResourceWatcher(ResourceLimits limits) {
    this.limits = limits;
  }

  /// A running sandbox. Per disk that it can write to: a folder there, and the free space when the
  /// sandbox started or when another one was stopped.
  private record WatchedSandbox(
      ChildProcess child, Map<Object, Path> folders, Map<Object, Long> free) {
    boolean isOver() {
      return !child.isAlive() || child.stopReason().isPresent();
    }
  }

  void watch(ChildProcess child, List<Path> writable) {
    var watched = new WatchedSandbox(child, new HashMap<>(), new HashMap<>());
    for (Path folder : writable) {
      try {
        Object disk = Files.getAttribute(folder, "unix:dev");
        if (watched.folders.putIfAbsent(disk, folder) == null) {
          watched.free.put(disk, folder.toFile().getUsableSpace());
        }
      } catch (IOException e) {
        // Deleted, so the program does not write there.
        LOG.debug("a folder was deleted", "folder", folder, "reason", e.getMessage());
      }
    }
    synchronized (this) {
      all.add(watched);
      if (!isRunning) {
        isRunning = true;
        Thread.ofPlatform().daemon().name("limits of sandboxes").start(this::checkUntilIdle);
      }
    }
  }

  private synchronized List<WatchedSandbox> current() {
    all.removeIf(WatchedSandbox::isOver);
    isRunning = !all.isEmpty();
    return List.copyOf(all);
  }

  private void checkUntilIdle() {
    try {
      Duration pause = USUAL_PAUSE;
      while (true) {
        Thread.sleep(pause);
        List<WatchedSandbox> now = current();
        if (now.isEmpty()) {
          return;
        }
        var usage = ProcessUsage.now();
        boolean isNear = checkMemory(now, usage);
        isNear |= checkDisks(now, usage);
        pause = isNear ? SHORT_PAUSE : USUAL_PAUSE;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// True if a sandbox is near its limit.
  private boolean checkMemory(List<WatchedSandbox> now, ProcessUsage usage) {
    long limit = limits.totalMemoryMb() * MB;
    boolean isNear = false;
    for (WatchedSandbox one : now) {
      long used = usage.memory(one.child.pid());
      isNear |= used > limit / 2;
      // Shared pages count once per process in the first number.
      if (used > limit && usage.exactMemory(one.child.pid()) > limit) {
        stop(one, limits.memoryExceeded());
      }
    }
    return isNear;
  }

  /// True if a disk is almost full.
  private boolean checkDisks(List<WatchedSandbox> now, ProcessUsage usage) {
    var folders = new HashMap<Object, Path>();
    now.forEach(one -> folders.putAll(one.folders));
    boolean isNear = false;
    for (var disk : folders.entrySet()) {
      File folder = disk.getValue().toFile();
      long free = folder.getUsableSpace();
      long floor = Math.min(limits.diskFreeMb() * MB, folder.getTotalSpace() / 10);
      isNear |= free < NEAR * floor;
      if (free < floor) {
        stopLargestWriter(now, disk, free, usage);
      }
    }
    return isNear;
  }

  private void stopLargestWriter(
      List<WatchedSandbox> now, Map.Entry<Object, Path> disk, long free, ProcessUsage usage) {
    Object key = disk.getKey();
    now.stream()
        .filter(one -> !one.isOver() && one.free.getOrDefault(key, 0L) - free >= SLACK)
        .max(Comparator.comparingLong(one -> usage.written(one.child.pid())))
        .ifPresent(largest -> {
          stop(largest, limits.diskExceeded(largest.folders.getOrDefault(key, disk.getValue())));
          now.forEach(one -> one.free.computeIfPresent(key, (_, _) -> free));
        });
  }

  private static void stop(WatchedSandbox one, String reason) {
    LOG.warn(
        "stopped a sandboxed program that exceeded a limit",
        "pid",
        one.child.pid(),
        "reason",
        reason);
    one.child.stop(reason);
  }

  /// Resource usage of processes and all their descendants, read from `/proc`. A sandbox has an
  /// init process of its own that adopts orphans, so no process leaves the tree.
  ///
  /// It is a snapshot: processes that ended meanwhile count as zero.
  private record ProcessUsage(Map<Long, List<Long>> children) {
    private static final Path PROC = Path.of("/proc");
    private static final Set<String> RESIDENT = Set.of("RssAnon", "RssShmem", "VmSwap");
    private static final Set<String> EXACT = Set.of("Pss_Anon", "Pss_Shmem", "SwapPss");
    private static final Set<String> WRITTEN = Set.of("wchar", "write_bytes");
    private static final long KB = 1_024;

    static ProcessUsage now() {
      var children = new HashMap<Long, List<Long>>();
      try (var all = Files.newDirectoryStream(PROC, "[0-9]*")) {
        for (Path process : all) {
          // The program name is in brackets and may contain any character.
          String stat = read(process.resolve("stat"));
          String[] rest = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", 3);
          if (rest.length == 3) {
            children
                .computeIfAbsent(Long.parseLong(rest[1]), _ -> new ArrayList<>())
                .add(Long.parseLong(process.getFileName().toString()));
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        // No Linux, so no sandbox either.
        return new ProcessUsage(Map.of());
      }
      return new ProcessUsage(children);
    }

    /// Memory that cannot be reclaimed, in bytes. Shared pages count once per process.
    long memory(long root) {
      return tree(root).stream().mapToLong(pid -> sum(file(pid, "status"), RESIDENT) * KB).sum();
    }

    /// The same, with shared pages divided among the processes that share them. Slow.
    long exactMemory(long root) {
      return tree(root).stream()
          .mapToLong(pid -> {
            String rollup = file(pid, "smaps_rollup");
            return rollup.contains("Pss_Anon")
                ? sum(rollup, EXACT) * KB
                : sum(file(pid, "status"), RESIDENT) * KB;
          })
          .sum();
    }

    /// Bytes written. Only for comparison: some bytes count twice.
    long written(long root) {
      return tree(root).stream().mapToLong(pid -> sum(file(pid, "io"), WRITTEN)).sum();
    }

    private List<Long> tree(long root) {
      var tree = new ArrayList<Long>(List.of(root));
      // A process id that is reused during the scan could create a cycle.
      var seen = new HashSet<Long>(tree);
      for (int i = 0; i < tree.size(); i++) {
        children.getOrDefault(tree.get(i), List.of()).stream().filter(seen::add).forEach(tree::add);
      }
      return tree;
    }

    /// Of lines such as `RssAnon: 123 kB`.
    private static long sum(String text, Set<String> names) {
      return text.lines()
          .map(line -> line.split(":\\s+|\\s+"))
          .filter(words -> words.length >= 2 && names.contains(words[0]))
          .mapToLong(words -> Long.parseLong(words[1]))
          .sum();
    }

    private static String file(long pid, String name) {
      return read(PROC.resolve(String.valueOf(pid)).resolve(name));
    }

    private static String read(Path file) {
      try {
        return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        // The process ended, or belongs to another user.
        return "";
      }
    }
  }
}
