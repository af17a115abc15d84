package dev.substrat.platform.sandbox;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ProcessSupervision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Restrictions that bubblewrap has no option for. If `isScoped`, abstract sockets are out of
/// reach. The `watcher` stops a sandbox that uses too much memory, or too much space on the disks
/// of its `writable` folders.
record SandboxSupervision(boolean isScoped, ResourceWatcher watcher, List<Path> writable)
    implements ProcessSupervision {
  @Override
  public void prepare() throws IOException {
    if (isScoped) {
      LandlockScope.enter();
    }
  }

  @Override
  public void started(ChildProcess child) {
    watcher.watch(child, writable);
  }
}
