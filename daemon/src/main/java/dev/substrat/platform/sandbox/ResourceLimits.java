package dev.substrat.platform.sandbox;

import dev.substrat.protocol.ErrorCode;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Resource limits of one sandbox. `processes` counts the processes and threads of the whole
/// sandbox. `totalMemoryMb` is the memory of all its processes, and `diskFreeMb` is the space that
/// must stay free on the disks it can write to; the [ResourceWatcher] enforces these two. The
/// kernel enforces the others, for each process.
///
/// Memory is limited as private writable memory (RLIMIT_DATA). A limit on the address space would
/// stop Node and Java immediately: they reserve much more than they use.
public record ResourceLimits(
    int memoryMb,
    int processes,
    int openFiles,
    int fileSizeMb,
    int cpuSeconds,
    int totalMemoryMb,
    int diskFreeMb) {

  public static final ResourceLimits DEFAULT =
      new ResourceLimits(4_096, 1_024, 8_192, 2_048, 3_600, 8_192, 512);

  /// Exit code of a shell for a program that a signal ended: this plus the number of the signal.
  private static final int SIGNALLED = 128;

  private static final int OVER_CPU = SIGNALLED + 24;
  private static final int OVER_FILE_SIZE = SIGNALLED + 25;
  private static final long MB = 1L << 20;

  /// Time between the first signal and the kill.
  private static final int GRACE_SECONDS = 5;

  private static final int MAX_OUTPUT_LENGTH = 4_000;
  private static final String STOPPED = "stopped by the sandbox: ";

  public ResourceLimits {
    requireAtLeast(64, memoryMb, "memoryMb");
    requireAtLeast(16, processes, "processes");
    requireAtLeast(64, openFiles, "openFiles");
    requireAtLeast(1, fileSizeMb, "fileSizeMb");
    requireAtLeast(1, cpuSeconds, "cpuSeconds");
    requireAtLeast(64, totalMemoryMb, "totalMemoryMb");
    requireAtLeast(0, diskFreeMb, "diskFreeMb");
  }

  private static void requireAtLeast(int least, int value, String key) {
    if (value < least) {
      throw ErrorCode.INVALID_CONFIG.fault(
          "sandboxLimits/%s must be %d or more".formatted(key, least), "see docs/configuration.md");
    }
  }

  /// Command of prlimit(1) that starts a program with these limits.
  List<String> words(Path prlimit) {
    return List.of(
        prlimit.toString(),
        "--data=" + memoryMb * MB,
        "--nproc=" + processes,
        "--nofile=" + openFiles,
        "--fsize=" + fileSizeMb * MB,
        "--cpu=%d:%d".formatted(cpuSeconds, cpuSeconds + GRACE_SECONDS),
        "--core=0",
        "--");
  }

  /// The limit that stopped a program with this exit code and output. A signal proves it. A text in
  /// the output is only a hint: the program may have another reason to write it.
  public Optional<String> reached(int exitCode, String output) {
    return switch (exitCode) {
      case 0 -> Optional.empty();
      case OVER_CPU -> Optional.of(STOPPED + setting("cpuSeconds"));
      case OVER_FILE_SIZE -> Optional.of(STOPPED + setting("fileSizeMb"));
      default -> {
        String end = output.substring(Math.max(0, output.length() - MAX_OUTPUT_LENGTH));
        yield suspect(end.toLowerCase(Locale.ROOT));
      }
    };
  }

  /// Error for a sandbox whose processes together use too much memory.
  String memoryExceeded() {
    return STOPPED
        + "its processes together used more than %d MB of memory".formatted(totalMemoryMb)
        + " (sandboxLimits.totalMemoryMb)";
  }

  /// Error for a sandbox that leaves too little space on a disk.
  String diskExceeded(Path folder) {
    return STOPPED
        + "the disk of %s is almost full".formatted(folder)
        + " (sandboxLimits.diskFreeMb: at least %d MB, or a tenth of a small disk, must be free)"
            .formatted(diskFreeMb);
  }

  private Optional<String> suspect(String words) {
    return HINTS.entrySet().stream()
        .filter(hint -> hint.getValue().stream().anyMatch(words::contains))
        .findFirst()
        .map(hint ->
            hint.getKey().equals(DISK)
                ? "the disk is full, or there is no space in " + DISK
                : "probably a limit of the sandbox: " + setting(hint.getKey()));
  }

  private String setting(String key) {
    return switch (key) {
          case "memoryMb" -> "at most %d MB of memory for each process".formatted(memoryMb);
          case "processes" -> "at most %d processes and threads".formatted(processes);
          case "openFiles" -> "at most %d open files for each process".formatted(openFiles);
          case "fileSizeMb" -> "at most %d MB for each file".formatted(fileSizeMb);
          default -> "at most %d seconds of CPU time for each process".formatted(cpuSeconds);
        }
        + " (sandboxLimits."
        + key
        + ")";
  }

  private static final String DISK =
      "the sandbox's /tmp (1 GB) or /dev/shm (256 MB): delete files there";

  /// Texts that programs write when they reach a limit; the first match counts.
  private static final Map<String, List<String>> HINTS = hints();

  private static Map<String, List<String>> hints() {
    var hints = new LinkedHashMap<String, List<String>>();
    hints.put("fileSizeMb", List.of("file too large", "efbig", "file size limit exceeded"));
    hints.put("cpuSeconds", List.of("cpu time limit exceeded"));
    hints.put("openFiles", List.of("too many open files", "emfile"));
    hints.put(
        "processes",
        List.of(
            "cannot fork",
            "resource temporarily unavailable",
            "unable to create native thread",
            "can't start new thread",
            "pthread_create failed"));
    hints.put(
        "memoryMb",
        List.of(
            "cannot allocate memory",
            "out of memory",
            "outofmemory",
            "memoryerror",
            "memory exhausted",
            "enomem",
            "bad_alloc"));
    hints.put(DISK, List.of("no space left on device", "enospc"));
    return hints;
  }
}
