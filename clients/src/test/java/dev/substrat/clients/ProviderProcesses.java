package dev.substrat.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Finds provider processes of agents by a variable in their environment.
final class ProviderProcesses {
  private ProviderProcesses() {}

  /// Process ids whose home is this one or below it.
  static List<Long> in(Path home) {
    String mark = "SUBSTRAT_MIND=" + home;
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(pid -> environment(pid).contains(mark))
        .sorted()
        .toList();
  }

  private static String environment(long pid) {
    try {
      return Files.readString(
          Path.of("/proc", String.valueOf(pid), "environ"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
