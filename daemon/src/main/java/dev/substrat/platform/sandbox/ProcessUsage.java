package dev.substrat.platform.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Resource usage of processes and all their descendants, read from `/proc`. A sandbox has an init
/// process of its own that adopts orphans, so no process leaves the tree.
///
/// It is a snapshot: processes that ended meanwhile count as zero.
record ProcessUsage(Map<Long, List<Long>> children) {
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
