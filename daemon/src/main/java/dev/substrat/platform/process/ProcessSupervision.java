package dev.substrat.platform.process;

import java.io.IOException;

/// Hooks around the start of a process: restrictions that it inherits, and monitoring.
public interface ProcessSupervision {
  /// Restricts nothing and watches nothing.
  ProcessSupervision NONE =
      new ProcessSupervision() {
        @Override
        public void prepare() {}

        @Override
        public void started(ChildProcess child) {}
      };

  /// Runs before the start, on the thread that starts the process. If it fails, the process is not
  /// started.
  void prepare() throws IOException;

  /// Runs after the start.
  void started(ChildProcess child);
}
