package dev.substrat.platform.process;

import java.util.List;

/// Processes that outlived the daemon that started them, because it was killed.
public final class OrphanedProcesses {
  private OrphanedProcesses() {}

  /// Kills all processes that have `variable=value` in their environment, as far as the system lets
  /// us read it; returns how many. The value must be unique.
  public static int kill(String variable, String value) {
    String entry = variable + "=" + value;
    List<ProcessHandle> left =
        ProcessHandle.allProcesses().filter(one -> ProcessTree.bears(one, entry)).toList();
    left.forEach(ProcessHandle::destroyForcibly);
    return left.size();
  }
}
