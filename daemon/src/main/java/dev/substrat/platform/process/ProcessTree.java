package dev.substrat.platform.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/// A process and all its descendants, including orphans. An orphan no longer shows its parent, so
/// each tree has a unique environment variable that is inherited; on Linux its processes are found
/// by it. Processes that removed the variable are found by the output pipe of the root process,
/// which they still hold.
final class ProcessTree {
  static final String MARK = "SUBSTRAT_PROCESS_TREE";

  /// A killed process ends immediately, unless it is stuck in the kernel.
  private static final Duration MAX_EXIT_WAIT = Duration.ofSeconds(2);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

  /// Stdout and stderr. Not stdin, which may be any file.
  private static final List<String> OUTPUTS = List.of("1", "2");

  private final String mark = UUID.randomUUID().toString();
  private final Set<Path> pipes = new HashSet<>();

  String mark() {
    return mark;
  }

  /// Remembers the output pipes of the root process. Call it once, before any other method.
  void speakingThrough(ProcessHandle root) {
    OUTPUTS.forEach(output -> output(root, output).ifPresent(pipes::add));
  }

  /// Kills until no process is left: a process that forks meanwhile is found in the next round.
  void kill(ProcessHandle root) {
    long end = System.nanoTime() + MAX_EXIT_WAIT.toNanos();
    for (Set<ProcessHandle> living = living(root);
        !living.isEmpty() && System.nanoTime() < end;
        living = living(root)) {
      living.forEach(ProcessHandle::destroyForcibly);
      LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
    }
  }

  private Set<ProcessHandle> living(ProcessHandle root) {
    var living = new HashSet<ProcessHandle>();
    if (root.isAlive()) {
      living.add(root);
      root.descendants().forEach(living::add);
    }
    String own = MARK + "=" + mark;
    ProcessHandle.allProcesses()
        .filter(process -> bears(process, own) || holdsPipe(process))
        .forEach(living::add);
    return living;
  }

  /// Only the ends that processes write to: the daemon holds the other ends.
  private boolean holdsPipe(ProcessHandle process) {
    return !pipes.isEmpty()
        && process.pid() != ProcessHandle.current().pid()
        && OUTPUTS.stream()
            .map(output -> output(process, output))
            .flatMap(Optional::stream)
            .anyMatch(pipes::contains);
  }

  /// The pipe that a process writes to, if it is a pipe.
  private static Optional<Path> output(ProcessHandle process, String number) {
    try {
      Path file = Path.of("/proc", String.valueOf(process.pid()), "fd", number);
      return Optional.of(Files.readSymbolicLink(file))
          .filter(target -> target.toString().startsWith("pipe:"));
    } catch (IOException e) {
      // Another user's process, already ended, closed, or a system without /proc.
      return Optional.empty();
    }
  }

  /// Whether the environment of the process contains this entry. A zombie has no environment.
  static boolean bears(ProcessHandle process, String entry) {
    try {
      byte[] environment =
          Files.readAllBytes(Path.of("/proc", String.valueOf(process.pid()), "environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(entry + "\0");
    } catch (IOException e) {
      // Another user's process, already ended, or a system without /proc.
      return false;
    }
  }
}
