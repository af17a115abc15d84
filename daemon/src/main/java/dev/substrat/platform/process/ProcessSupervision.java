package dev.substrat.platform.process;

import java.io.IOException;

/// What goes along with the start of a process: restrictions that it inherits, and a watch over it.
public interface ProcessSupervision {
  /// Restricts nothing and watches nothing.
  ProcessSupervision NONE =
      new ProcessSupervision() {
        @Override
        public void prepare() {}

        @Override
        public void started(ChildProcess child) {}
      };

  /// Called before the start by the thread that starts the process and nothing else; if it fails,
  /// nothing is started.
  void prepare() throws IOException;

  /// Called once it runs.
  void started(ChildProcess child);
}
