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

/// A process and all that came from it, also those that have left it: whoever is orphaned no longer
/// shows whose child it was. So each tree has a mark in its environment, which is inherited, and
/// where the system lets us read it (Linux) those who bear it are found wherever they are. Those
/// who threw it away are found by the output of the first that they still hold: nobody else has it.
final class ProcessTree {
  static final String MARK = "SUBSTRAT_PROCESS_TREE";

  /// A killed process is gone at once, unless the kernel itself is stuck with it.
  private static final Duration LONGEST_DEATH = Duration.ofSeconds(2);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(2);

  /// What a program says goes there. Not its input, which may be anything.
  private static final List<String> OUTPUTS = List.of("1", "2");

  private final String mark = UUID.randomUUID().toString();
  private final Set<Path> pipes = new HashSet<>();

  String mark() {
    return mark;
  }

  /// Looks at the pipes that the first of it was started with; to be called once, before others.
  void speakingThrough(ProcessHandle root) {
    OUTPUTS.forEach(output -> output(root, output).ifPresent(pipes::add));
  }

  /// Kills until nobody is left; one that forks while it is killed is met in the next round.
  void kill(ProcessHandle root) {
    long end = System.nanoTime() + LONGEST_DEATH.toNanos();
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

  /// Only what it writes to: the other ends are ours.
  private boolean holdsPipe(ProcessHandle process) {
    return !pipes.isEmpty()
        && process.pid() != ProcessHandle.current().pid()
        && OUTPUTS.stream()
            .map(output -> output(process, output))
            .flatMap(Optional::stream)
            .anyMatch(pipes::contains);
  }

  /// The pipe that a process writes to, if it is one.
  private static Optional<Path> output(ProcessHandle process, String number) {
    try {
      Path file = Path.of("/proc", String.valueOf(process.pid()), "fd", number);
      return Optional.of(Files.readSymbolicLink(file))
          .filter(target -> target.toString().startsWith("pipe:"));
    } catch (IOException e) {
      // Somebody else's, gone meanwhile, closed, or a system without /proc.
      return Optional.empty();
    }
  }

  /// True if this stands in its environment. What has ended but was not buried yet has none any
  /// more.
  static boolean bears(ProcessHandle process, String entry) {
    try {
      byte[] environment =
          Files.readAllBytes(Path.of("/proc", String.valueOf(process.pid()), "environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(entry + "\0");
    } catch (IOException e) {
      // Somebody else's, gone meanwhile, or a system without /proc.
      return false;
    }
  }
}
