package dev.substrat.platform.sandbox;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ProcessSupervision;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// What the kernel cannot be told with words of bubblewrap's: abstract sockets are out of reach if
/// `isScoped`, and the `watcher` stops a sandbox that uses too much memory, or too much of the
/// disks of its `writable` folders.
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
