package dev.substrat.toolset.workspace;

import dev.substrat.platform.process.ChildProcess;
import dev.substrat.platform.process.ChildProcess.Output;
import dev.substrat.platform.sandbox.Sandbox;
import dev.substrat.toolset.workspace.RunCommandTool.Ran;
import java.time.Duration;
import java.util.OptionalInt;

/// A running command: reads its output until it ends, times out or is interrupted. Belongs to one
/// thread.
final class RunningCommand {
  private static final Duration FAREWELL = Duration.ofSeconds(2);

  private final ChildProcess child;
  private final Sandbox sandbox;
  private final long end;
  private final CommandOutput output = new CommandOutput();

  RunningCommand(ChildProcess child, Sandbox sandbox, Duration timeout) {
    this.child = child;
    this.sandbox = sandbox;
    this.end = System.nanoTime() + timeout.toNanos();
    child.endInput();
  }

  /// Reads the output until the command ends.
  Ran listen() {
    try {
      while (true) {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        if (!left.isPositive()) {
          return Ran.stopped(output, "timed_out");
        }
        switch (child.take(left).orElse(null)) {
          case null -> {
            // More output follows.
          }
          case Output.Line line -> output.add(line.text());
          case Output.TooLong _ -> {
            return Ran.stopped(output, "output_too_long");
          }
          case Output.End _ -> {
            return ended(child.exit(FAREWELL));
          }
        }
      }
    } catch (InterruptedException e) {
      // The call was cancelled.
      Thread.currentThread().interrupt();
      return Ran.stopped(output, "cancelled");
    }
  }

  private Ran ended(OptionalInt code) {
    String limit = sandbox.limitReached(child, code, output.text()).orElse(null);
    if (child.stopReason().isPresent()) {
      return Ran.stopped(output, "limit_exceeded").because(limit);
    }
    return code.isPresent()
        ? Ran.ended(output, code.getAsInt()).because(limit)
        : Ran.stopped(output, "output_closed");
  }
}
