package dev.substrat.bench.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Processor time of processes, from `/proc` (Linux).
final class ProcessCpu {
  /// Fields after the program's name in `/proc/PID/stat`.
  private static final int USER = 11;

  private static final int SYSTEM = 12;
  private static final int ENDED_CHILDREN_USER = 13;
  private static final int ENDED_CHILDREN_SYSTEM = 14;

  /// Linux reports in hundredths of a second, whatever its timer is.
  private static final Duration TICK = Duration.ofMillis(10);

  private ProcessCpu() {}

  static Duration of(long process) {
    String[] fields = fields(process);
    return ticks(fields, USER, SYSTEM);
  }

  /// The same with all processes that it has started, also those that have ended.
  static Duration withChildren(long process) {
    Duration own = of(process).plus(ended(process));
    return ProcessHandle.of(process)
        .map(parent ->
            parent
                .descendants()
                .map(child -> of(child.pid()).plus(ended(child.pid())))
                .reduce(own, Duration::plus))
        .orElse(own);
  }

  private static Duration ended(long process) {
    return ticks(fields(process), ENDED_CHILDREN_USER, ENDED_CHILDREN_SYSTEM);
  }

  private static Duration ticks(String[] fields, int one, int other) {
    return fields.length == 0
        ? Duration.ZERO
        : TICK.multipliedBy(Long.parseLong(fields[one]) + Long.parseLong(fields[other]));
  }

  /// Empty if the process has ended.
  private static String[] fields(long process) {
    try {
      String line = Files.readString(Path.of("/proc", Long.toString(process), "stat"));
      return line.substring(line.lastIndexOf(')') + 2).split(" ");
    } catch (IOException _) {
      return new String[0];
    }
  }
}
